import type { Path } from '../../document/index.ts'

/** A fault of an artifact beyond its contract, not yet located in a text. */
export interface Objection {
  readonly code: string
  readonly path: Path
  readonly message: string
  readonly hint: string
}
