import type { Json } from '../../document/index.ts'
import { maskSecrets } from '../../document/index.ts'
import type { LockDiff, Quarantined } from '../../governance/index.ts'
import type { ReportForPeople } from '../check/report.ts'
import type { Opened } from './opened.ts'
import type { LockOutput } from './output.ts'
import type { Places } from './places.ts'

/** Input of every output about a lock. */
export interface Answer {
  readonly places: Places
  readonly check: boolean
  readonly old: Opened | undefined
  readonly documents: readonly ReportForPeople[]
  readonly quarantined: Readonly<Record<string, Quarantined>>
}

/** The outcome of locking. */
export interface Outcome {
  readonly outcome: LockOutput['outcome']
  readonly diff?: LockDiff
  readonly refused?: LockOutput['refused']
  readonly lineEnds?: LockOutput['lineEnds']
  readonly next?: Json
  readonly after?: string
}

const NOTHING: LockDiff = { added: [], removed: [], changed: [], other: [], reordered: false }

/** Returns the output of `lock`. */
export function answer(
  { places, check, old, documents, quarantined }: Answer,
  { outcome, diff = NOTHING, refused = [], lineEnds = [], next, after }: Outcome,
): LockOutput & { readonly documents: readonly ReportForPeople[] } {
  return {
    outcome,
    manifest: maskSecrets(places.manifest),
    lock: maskSecrets(places.lock),
    check,
    totals: totalsIn(next),
    added: diff.added.map(masked),
    removed: diff.removed.map(masked),
    changed: diff.changed.map(({ id, parts }) => ({
      id: maskSecrets(id),
      review: parts.some(({ part }) => part === 'hash'),
      parts: parts.map(masked),
    })),
    other: diff.other.map(({ part, from, to }) => ({
      part: maskSecrets(part),
      from: from === null ? null : maskSecrets(JSON.stringify(from)),
      to: JSON.stringify(to),
    })),
    reordered: diff.reordered,
    refused: refused.map(masked),
    lineEnds: lineEnds.map(masked),
    quarantined: keptOut(quarantined),
    documents,
    before: old?.sha256 ?? null,
    after: after ?? null,
  }
}

/** Returns the agents in quarantine for output, sorted. */
export function keptOut(
  quarantined: Readonly<Record<string, Quarantined>>,
): LockOutput['quarantined'] {
  const ids = Object.keys(quarantined).sort()
  return ids.flatMap(id => {
    const why = quarantined[id]
    return why ? [masked({ id, since: why.since, reason: why.reason })] : []
  })
}

function totalsIn(next: Json | undefined): LockOutput['totals'] {
  // Waybill wrote it, so its form is known.
  const integrity = (next as { integrity?: Record<string, number> } | undefined)?.integrity ?? {}
  const { total_prompts: prompts = 0, domains = 0, archetypes = 0 } = integrity
  return { prompts, domains, archetypes, orchestrators: prompts - domains - archetypes }
}

/** Masks likely secrets in the texts of an object. */
function masked<T extends object>(fields: T): T {
  const entries = Object.entries(fields).map(([key, value]) => [
    key,
    typeof value === 'string' ? maskSecrets(value) : value,
  ])
  return Object.fromEntries(entries) as T
}
