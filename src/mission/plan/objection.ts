import type { Path } from '../../document/index.ts'

/** What is wrong with an artifact beside what its contract says, before it has a place in a text. */
export interface Objection {
  readonly code: string
  readonly path: Path
  readonly message: string
  readonly hint: string
}
