import type { LogReader } from '../../ledger/index.ts'
import type { EntryKind } from '../urn.ts'
import { keysOfEntry, type ReadEntry } from './entry.ts'
import type { EntryIds } from './predicates.ts'
import { storedAt } from './stored.ts'
import { partsOf, summaryOf, textOf } from './summary.ts'
import type { Tombstone } from './tombstone.ts'

/** Kinds that can be erased: those that may hold document text. Others hold none, and decisions rest on them. */
const ERASABLE: readonly EntryKind[] = [
  'handoff-sent',
  'handoff-accepted',
  'handoff-needs-input',
  'handoff-rejected',
  'record',
]

/** An unchanged entry with its statement. */
export type KeptEntry = Extract<ReadEntry, { is: 'entry' }>

/** Whether an entry may be erased. */
export function isErasable({ kind }: Pick<KeptEntry, 'kind'>): boolean {
  return kind !== undefined && ERASABLE.includes(kind)
}

/** A recorded erasure. */
interface RecordedErasure extends Pick<Tombstone, 'by' | 'at' | 'reason'> {
  /** The index of the entry that records it. */
  readonly index: number
  /** The name of the erased entry, hex SHA-256. */
  readonly digest: string
  readonly standing: 'proved' | 'claimed' | null
}

/** Returns the recorded erasure of an entry, so that an interrupted erasure can be finished. */
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

/** How long the erasures of a log are cached, in milliseconds: entries are often read in sequence. */
const REMEMBERED = 1000

interface Erasures {
  readonly byDigest: Map<string, RecordedErasure>
  /** How many erasure entries were read. */
  readonly count: number
  /** The size of the log, and when it was checked. */
  readonly size: number
  readonly looked: number
}

const lastSeen = new WeakMap<LogReader, Erasures>()

/** Returns all recorded erasures of a log, by the name of the erased entry; most logs have none. */
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

/** Returns the tombstone of an entry whose erasure is recorded, with the recorded values. */
export function tombstoneOf(
  { digest, statement }: KeptEntry,
  { by, at, reason }: Pick<Tombstone, 'by' | 'at' | 'reason'>,
): Tombstone {
  const ids: EntryIds = partsOf(statement.predicate.ids)
  return { digest, ids, keys: keysOfEntry(digest, statement), reason, by, at }
}
