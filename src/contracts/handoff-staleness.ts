import { counted } from '../contract/index.ts'
import { formatAge } from '../document/index.ts'

/** How old a handoff document may be, best first. */
export const STALENESS = ['fresh', 'slightly stale', 'stale', 'very stale'] as const

/** One of the four classes of staleness. */
export type Staleness = (typeof STALENESS)[number]

/** What happened on the document's branch since it was written, or why that is unknown. */
export type Drift =
  | {
      /** Commits since then, except those that touch only `handoffs/`. */
      readonly commits: number
      /** Files changed by those commits. */
      readonly files: number
      readonly branch: 'present' | 'merged' | 'gone' | 'diverged'
      /** The paths of those files. */
      readonly paths?: readonly string[]
    }
  | { readonly unknown: string }

/** How stale a document is by its age. */
export interface Classification {
  readonly staleness: Staleness
  readonly factor: 'age'
  /** The age in words, after a colon: `written 3 days ago`. */
  readonly reason: string
}

/** The ages in milliseconds from which a document is slightly stale, stale and very stale. */
export type AgeLimits = readonly [slightly: number, stale: number, very: number]

const HOUR = 60 * 60 * 1000

/** The limits of the specification. */
export const AGE_LIMITS: AgeLimits = [24 * HOUR, 72 * HOUR, 7 * 24 * HOUR]

/** Classifies a document by its age in milliseconds. */
export function classifyStaleness(age: number, limits: AgeLimits = AGE_LIMITS): Classification {
  const passed = limits.filter(limit => age >= limit).length
  const staleness = STALENESS[passed] ?? 'very stale'
  return { staleness, factor: 'age', reason: `written ${formatAge(age)}` }
}

/** What the commits since a document was written changed, in words; undefined if there are none. */
export function commitsSince(drift: Drift): string | undefined {
  if ('unknown' in drift) return `changes since it was written are unknown (${drift.unknown})`
  if (drift.commits === 0) return undefined
  const { commits, files } = drift
  return `${counted(commits, 'commit')} changed ${counted(files, 'file')} since it was written`
}

const BRANCHES = {
  present: undefined,
  merged: 'its branch was merged',
  gone: 'its branch is gone',
  diverged: 'its branch has diverged',
} as const

/** What changed since a document was written, in words; undefined if nothing did. */
export function changesSince(drift: Drift): string | undefined {
  const branch = 'unknown' in drift ? undefined : BRANCHES[drift.branch]
  const changes = [commitsSince(drift), branch].filter(words => words !== undefined)
  return changes.length === 0 ? undefined : changes.join('; ')
}
