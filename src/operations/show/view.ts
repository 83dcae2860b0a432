import type { Drift } from '../../contracts/index.ts'
import type { Line, Section } from './output.ts'

/** What a family of contracts makes of a document. */
export interface Body {
  readonly facts: readonly Line[]
  readonly sections: readonly Section[]
  /** How many of the sections are read before the facts; absent for none. */
  readonly leading?: number
}

/** What is known beside the document. */
export interface ViewContext {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** What happened on the branch of a handoff document since it was written. */
  readonly drift?: Drift
  /** The structure of the document is sound, so that what is computed from it means something. */
  readonly sound: boolean
}

/** Makes a document readable; whatever is there is shown, however broken the rest is. */
export type Describe = (value: unknown, around: ViewContext) => Body
