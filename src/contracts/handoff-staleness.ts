import { counted } from '../contract/index.ts'
import { formatAge } from '../document/index.ts'

/** How much a handoff document may have drifted from reality, best first. */
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
      readonly branch: 'present' | 'gone' | 'diverged'
    }
  | { readonly unknown: string }

/** How stale a document is, and the factor that decided it. */
export interface Classification {
  readonly staleness: Staleness
  readonly factor: 'age' | 'commits' | 'files' | 'branch' | 'drift'
  /** The factor in words, after a colon: `5 commits since it was written`. */
  readonly reason: string
}

const HOUR = 60 * 60 * 1000

/** Limits below which a value is fresh, slightly stale and stale; from the last on it is very stale. */
const AGE = [24 * HOUR, 72 * HOUR, 7 * 24 * HOUR] as const
const COMMITS = [1, 5, 20] as const
/** A few changed files are fresh; ten are stale at once. */
const FILES = [10, 10, 50] as const

/** Classifies a document by age (milliseconds) and Git drift; the worst factor decides, the first among equals. */
export function classifyStaleness(age: number, drift?: Drift): Classification {
  const factors: Classification[] = [
    { staleness: classify(age, AGE), factor: 'age', reason: `written ${formatAge(age)}` },
    ...(drift ? driftFactors(drift) : []),
  ]
  return factors.reduce((worst, next) => (rank(next) > rank(worst) ? next : worst))
}

function driftFactors(drift: Drift): Classification[] {
  if ('unknown' in drift) {
    const reason = `changes since then are unknown (${drift.unknown})`
    return [{ staleness: 'slightly stale', factor: 'drift', reason }]
  }
  const { commits, files, branch } = drift
  return [
    {
      staleness: classify(commits, COMMITS),
      factor: 'commits',
      reason: `${counted(commits, 'commit')} since it was written`,
    },
    {
      staleness: classify(files, FILES),
      factor: 'files',
      reason: `${counted(files, 'file')} changed since it was written`,
    },
    {
      staleness: branch === 'present' ? 'fresh' : 'stale',
      factor: 'branch',
      reason: branch === 'gone' ? 'its branch is gone' : 'its branch has diverged',
    },
  ]
}

function classify(value: number, limits: readonly [number, number, number]): Staleness {
  if (value < limits[0]) return 'fresh'
  if (value < limits[1]) return 'slightly stale'
  return value < limits[2] ? 'stale' : 'very stale'
}

function rank({ staleness }: Classification): number {
  return STALENESS.indexOf(staleness)
}
