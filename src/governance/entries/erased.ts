import type { LogReader } from '../../ledger/index.ts'
import type { EntryKind } from '../urn.ts'
import { keysOfEntry, type ReadEntry } from './entry.ts'
import type { EntryIds } from './predicates.ts'
import { storedAt } from './stored.ts'
import { partsOf, summaryOf, textOf } from './summary.ts'
import type { Tombstone } from './tombstone.ts'

/**
 * What can be erased: entries that hold a document, what was said of one, or a record. The others hold nothing of any
 * document, and what is decided rests on them.
 */
const ERASABLE: readonly EntryKind[] = [
  'handoff-sent',
  'handoff-accepted',
  'handoff-needs-input',
  'handoff-rejected',
  'record',
]

/** An entry that is what was recorded, with its statement. */
export type KeptEntry = Extract<ReadEntry, { is: 'entry' }>

/** Whether an entry may be erased. */
export function isErasable({ kind }: Pick<KeptEntry, 'kind'>): boolean {
  return kind !== undefined && ERASABLE.includes(kind)
}

/** An erasure that is recorded. */
interface RecordedErasure extends Pick<Tombstone, 'by' | 'at' | 'reason'> {
  /** The entry that states it. */
  readonly index: number
  /** The name of the erased entry, hex SHA-256. */
  readonly digest: string
  readonly standing: 'proved' | 'claimed' | null
}

/** The erasure of an entry as the log has recorded it: whoever was interrupted after that goes on from there. */
export async function findErasure(
  log: LogReader,
  digest: string,
): Promise<RecordedErasure | undefined> {
  for (const index of await log.find(`id:${digest}`)) {
    const erasure = erasureIn(index, await storedAt(log, index))
    if (erasure?.digest === digest) return erasure
  }
  return undefined
}

function erasureIn(index: number, entry: ReadEntry): RecordedErasure | undefined {
  if (entry.is !== 'entry' || entry.kind !== 'erasure') return undefined
  const { by, at, reason, digest } = entry.statement.predicate
  const { standing } = summaryOf(index, entry)
  const text = (value: unknown) => textOf(value) ?? ''
  return { index, digest: text(digest), by: text(by), at: text(at), reason: text(reason), standing }
}

/** For how many milliseconds what a log has erased is not asked again: entries are read one after another. */
const REMEMBERED = 1000

interface Erasures {
  readonly byDigest: Map<string, RecordedErasure>
  /** How many statements were read. */
  readonly count: number
  /** How large the log was, and when that was looked at. */
  readonly size: number
  readonly looked: number
}

const lastSeen = new WeakMap<LogReader, Erasures>()

/** All that a log has recorded as erased, by the names of those entries; most logs have nothing. */
export async function erasuresIn(log: LogReader): Promise<ReadonlyMap<string, RecordedErasure>> {
  const last = lastSeen.get(log)
  const looked = performance.now()
  if (last && looked - last.looked < REMEMBERED) return last.byDigest
  const size = await log.size()
  if (last?.size === size) {
    lastSeen.set(log, { ...last, looked })
    return last.byDigest
  }
  const byDigest = last?.byDigest ?? new Map<string, RecordedErasure>()
  const indices = await log.find('kind:erasure')
  for (const index of indices.slice(last?.count ?? 0)) {
    const erasure = erasureIn(index, await storedAt(log, index))
    if (erasure && !byDigest.has(erasure.digest)) byDigest.set(erasure.digest, erasure)
  }
  lastSeen.set(log, { byDigest, count: indices.length, size, looked: performance.now() })
  return byDigest
}

/** What takes the place of an entry whose erasure is recorded: it says what the log does, in the same words. */
export function tombstoneOf(
  { digest, statement }: KeptEntry,
  { by, at, reason }: Pick<Tombstone, 'by' | 'at' | 'reason'>,
): Tombstone {
  const ids: EntryIds = partsOf(statement.predicate.ids)
  return { digest, ids, keys: keysOfEntry(digest, statement), reason, by, at }
}
