import { inject } from 'vitest'

/** The program as it is built, which a run installs once for all its tests. */
export const PROGRAM = inject('program')
