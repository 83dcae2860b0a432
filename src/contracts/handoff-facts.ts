import type { Files } from '../contract/index.ts'
import type { HouseHeadings } from './handoff-parts.ts'
import type { AgeLimits, Drift } from './handoff-staleness.ts'

/** The result of following `continues_from`; not needed for a document without it. */
export interface Lineage {
  /** The predecessor, with its timestamp if it states one. */
  readonly predecessor?: { readonly path: string; readonly timestamp?: string }
  /** The path that was not found. */
  readonly missing?: string
  /** The predecessor is outside the repository after following symlinks. */
  readonly outside?: true
  /** The paths of a cycle, in chain order. */
  readonly cycle?: readonly string[]
}

/** Facts for the rules of handoff documents. */
export interface HandoffFacts {
  readonly files: Files
  readonly lineage: Lineage
  readonly drift: Drift
  /** The repository's own headings, for notes. */
  readonly headings: HouseHeadings
  /** The configured ages of the classes of staleness. */
  readonly ageLimits: AgeLimits
}
