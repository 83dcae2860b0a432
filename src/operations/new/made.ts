import type { NewOutput } from './output.ts'

/** A document as it would be written. */
export interface Made
  extends Pick<NewOutput, 'known' | 'missing' | 'predecessor' | 'carried' | 'notes'> {
  /** Where it is to stand, from the root. */
  readonly path: string
  /** Nothing but this name will do: somebody asked for it, or there is to be one only. */
  readonly isFixed: boolean
  readonly text: string
}
