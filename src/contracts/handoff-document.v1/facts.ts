import type { Files } from '../../contract/index.ts'
import type { Drift } from './staleness.ts'

/** What came of following `continues_from`; a document that has none needs no such fact. */
export interface Lineage {
  /** The document that was found, with its timestamp if it states one. */
  readonly predecessor?: { readonly path: string; readonly timestamp?: string }
  /** What was looked for in vain. */
  readonly missing?: string
  /** The predecessor, followed through links, stands outside the repository. */
  readonly outside?: true
  /** The paths of a loop that the chain runs into, in the order of the chain. */
  readonly cycle?: readonly string[]
}

/** What the rules of handoff documents ask of the world. */
export interface HandoffFacts {
  readonly files: Files
  readonly lineage: Lineage
  readonly drift: Drift
}
