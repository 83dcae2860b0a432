import type { LogReader } from '../../ledger/index.ts'
import type { ReadEntry } from '../entries/entry.ts'
import { entryAt, indicesOf } from '../entries/lookup.ts'
import type { ComparedAgent } from '../entries/predicates.ts'
import { type EntrySummary, partsOf, textOf } from '../entries/summary.ts'
import { summaryIn } from '../erasure/erasure.ts'
import { recordedOutcome } from '../policy/recorded.ts'
import { type Link, linksOf } from './links.ts'

/** One entry of a trace. */
export interface TraceStep {
  readonly entry: EntrySummary
  /** How it relates to the entry it was reached from; null for one that the query names. */
  readonly via: string | null
  /** The prompts of its agents, by hash. */
  readonly prompts: readonly ComparedAgent[]
  /** The decision of the policies, and which of them decided. */
  readonly policy: { readonly decision: string; readonly by: readonly string[] } | null
}

/** Everything recorded about something, in time order. */
export interface Trace {
  readonly steps: readonly TraceStep[]
  /** The kind of thing the query is the id of, such as `handoff` or `agent`. */
  readonly kinds: readonly string[]
  /** Whether there are more entries than were followed. */
  readonly more: boolean
}

/** Follows an id, an agent or a digest through a log, along all links between entries. */
export async function traceOf(log: LogReader, word: string, limit: number): Promise<Trace> {
  const named = await indicesOf(log, word)
  const way = new Way(log, limit)
  way.add(named.slice(-limit), null)
  const steps: TraceStep[] = []
  const kinds = new Set<string>()
  // The list grows while it is iterated; new items are visited too.
  for (const [index, via] of way.waiting) {
    const entry = await entryAt(log, index)
    const summary = await summaryIn(log, index, entry)
    if (via === null) for (const kind of kindsOf(word, summary, entry)) kinds.add(kind)
    steps.push(stepOf(summary, entry, via))
    for (const link of linksOf(summary, entry, log.origin)) await way.follow(link)
  }
  steps.sort((a, b) => a.entry.index - b.entry.index)
  return { steps, kinds: [...kinds].sort(), more: way.more || named.length > limit }
}

/** The entries to visit, each once, with the link that they were reached by. */
class Way {
  readonly waiting = new Map<number, string | null>()
  more = false
  private readonly followed = new Set<string>()
  private readonly log: LogReader
  private readonly limit: number

  constructor(log: LogReader, limit: number) {
    this.log = log
    this.limit = limit
  }

  add(indices: readonly number[], via: string | null): void {
    for (const index of indices) {
      if (this.waiting.has(index)) continue
      if (this.waiting.size < this.limit) this.waiting.set(index, via)
      else this.more = true
    }
  }

  async follow({ key, via }: Link): Promise<void> {
    if (this.followed.has(key)) return
    this.followed.add(key)
    this.add(await this.log.find(key), via)
  }
}

function stepOf(summary: EntrySummary, entry: ReadEntry, via: string | null): TraceStep {
  // However it was reached, it is about the other entry that it names.
  const isAbout = via !== null && summary.ids.entry !== undefined
  const outcome = recordedOutcome(entry)
  const policy = outcome
    ? { decision: outcome.decision, by: outcome.determining.map(({ id }) => id) }
    : null
  const tie = isAbout ? 'stated about an entry' : via
  return { entry: summary, via: tie, prompts: promptsOf(entry), policy }
}

function promptsOf(entry: ReadEntry): readonly ComparedAgent[] {
  if (entry.is !== 'entry') return []
  const { attestation, hashes } = entry.statement.predicate
  const agents = partsOf(attestation).agents ?? hashes
  if (!Array.isArray(agents)) return []
  return agents.map(partsOf).flatMap(({ agent, verified, stated, expected, computed }) =>
    typeof agent === 'string'
      ? [
          {
            agent,
            verified: verified === true,
            stated: textOf(stated),
            expected: textOf(expected),
            computed: textOf(computed),
          },
        ]
      : [],
  )
}

/** What a query is for an entry that it names. */
function kindsOf(word: string, { ids, agents, digest }: EntrySummary, entry: ReadEntry): string[] {
  const { artifacts = [], ...others } = ids
  const as = Object.entries(others).flatMap(([what, id]) => (id === word ? [what] : []))
  if (artifacts.includes(word)) as.push('artifact')
  if (agents.includes(word)) as.push('agent')
  if (digest?.startsWith(word) && word.length >= 8) as.push('entry')
  const subjects = entry.is === 'entry' ? entry.statement.subject : []
  for (const { name, digest: of } of subjects) if (of.sha256 === word) as.push(name)
  return as
}
