import type { AgeLimits, Drift } from '../../contracts/index.ts'
import type { Line, Section } from './output.ts'

/** The readable form of a document. */
export interface Body {
  readonly facts: readonly Line[]
  readonly sections: readonly Section[]
  /** How many sections come before the facts. */
  readonly leading?: number
}

/** Facts that are not in the document. */
export interface ViewContext {
  /** The current time, in milliseconds since the epoch. */
  readonly now: number
  /** What happened on the branch of a handoff document since it was written. */
  readonly drift?: Drift
  /** The configured ages of the classes of staleness. */
  readonly ageLimits?: AgeLimits
  /** Whether the structure is valid, so that computed values are meaningful. */
  readonly sound: boolean
}

/** Describes a document for reading; shows whatever is readable of an invalid one. */
export type Describe = (value: unknown, context: ViewContext) => Body
