import { parseInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { type EntrySummary, entryAt, KINDS, summaryIn } from '../../governance/index.ts'
import type { LogReader } from '../../ledger/index.ts'

/** Selects entries. */
export interface Wanted {
  readonly limit: number
  readonly kind?: string | undefined
  readonly agent?: string | undefined
  /** ISO 8601. */
  readonly since?: string | undefined
  /** Only these indices, ascending; all by default. */
  readonly among?: readonly number[]
}

/** Inputs of every operation that lists entries. */
export const WANTED = {
  limit: {
    type: 'integer',
    placeholder: 'number',
    description: 'Maximum number of entries (default: 20).',
  },
  kind: {
    type: 'string',
    enum: KINDS,
    placeholder: 'kind',
    description: 'Only entries of this kind.',
  },
  agent: { type: 'string', placeholder: 'id', description: 'Only entries about this agent.' },
  since: {
    type: 'string',
    placeholder: 'time',
    description: 'Only entries from this time on, ISO 8601.',
  },
} as const

const DEFAULT_LIMIT = 20
const MOST = 10_000

/** Validates the number of entries. */
export function limitOf(given: number | undefined, usual = DEFAULT_LIMIT): number {
  const limit = given ?? usual
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= MOST) return limit
  throw new WaybillError('usage', `--limit must be a number from 1 to ${MOST}`)
}

/** Returns the newest selected entries, newest last, and whether there are older ones. */
export async function newestOf(
  log: LogReader,
  wanted: Wanted,
): Promise<{ entries: readonly EntrySummary[]; more: boolean }> {
  const { limit } = wanted
  const since = sinceOf(wanted)
  const entries: EntrySummary[] = []
  for (const index of await candidates(log, wanted)) {
    const entry = await summaryIn(log, index, await entryAt(log, index))
    // Gateway time never goes backwards, so nothing before it is newer.
    if (entry.at !== null && (parseInstant(entry.at) ?? 0) < since) break
    if (entries.length === limit) return { entries: entries.reverse(), more: true }
    entries.push(entry)
  }
  return { entries: entries.reverse(), more: false }
}

function sinceOf({ since }: Wanted): number {
  if (since === undefined) return Number.NEGATIVE_INFINITY
  const at = parseInstant(since)
  if (at !== undefined) return at
  throw new WaybillError('usage', `--since ${since} is not a time`, {
    hint: 'use a time such as 2026-02-11T14:30:00Z',
  })
}

/** Returns the candidate indices, newest first. */
async function candidates(
  log: LogReader,
  { kind, agent, among }: Wanted,
): Promise<Iterable<number>> {
  const found = await Promise.all([
    ...(among === undefined ? [] : [among]),
    ...(kind === undefined ? [] : [log.find(`kind:${kind}`)]),
    ...(agent === undefined ? [] : [log.find(`agent:${agent}`)]),
  ])
  const [first, ...others] = found
  if (!first) return downFrom((await log.size()) - 1)
  const sets = others.map(other => new Set(other))
  return first.filter(index => sets.every(set => set.has(index))).reverse()
}

function* downFrom(last: number): Generator<number> {
  for (let index = last; index >= 0; index--) yield index
}
