import { formatInstant } from '../../document/index.ts'
import { type EntryKeys, KeyRecords, readStretch } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { EntryIds } from '../entries/predicates.ts'
import type { EntryKind } from '../urn.ts'
import { auditEntry, type EntryFault, type SoundEntry } from './entry.ts'
import { type AuditKey, Keyring } from './keyring.ts'
import { type QuarantineTurn, turnsIn } from './quarantine.ts'

/** Input of a thread that verifies entries; plain data. */
export interface AuditJob {
  readonly folder: string
  readonly size: number
  /** Entries from this index on are skipped. */
  readonly until: number
  /** Undefined if no keys are listed. */
  readonly keys: readonly AuditKey[] | undefined
  /** Kinds of entries whose indices are reported, for verification afterwards. */
  readonly wanted: readonly EntryKind[]
}

/** Entries from index `from` up to, not including, `to`. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** The time of an entry, in milliseconds since the epoch. */
export interface Moment {
  readonly at: number
  readonly index: number
  readonly digest: string
}

/** An entry whose content is gone. */
export interface Erased {
  readonly index: number
  readonly digest: string
  readonly ids: EntryIds
  readonly keys: EntryKeys
  readonly reason: string
  readonly by: string
  readonly at: string
}

/** An entry that records the erasure of another. */
export interface Erasure {
  /** The index of the recording entry. */
  readonly recorded: number
  readonly index: unknown
  readonly digest: unknown
  readonly reason: unknown
  readonly by: unknown
  readonly at: unknown
  readonly ids: unknown
  readonly keys: unknown
}

/** The result of verifying a stretch of entries; plain data. */
export interface StretchReport extends Stretch {
  /** The first faults; further ones are only counted. */
  readonly faults: readonly EntryFault[]
  readonly faultCount: number
  readonly kinds: Readonly<Record<string, number>>
  readonly keys: Readonly<Record<string, number>>
  readonly erased: readonly Erased[]
  readonly erasures: readonly Erasure[]
  readonly turns: readonly QuarantineTurn[]
  /** The entries of wanted kinds. */
  readonly wanted: readonly number[]
  readonly earliest: Moment | undefined
  readonly latest: Moment | undefined
  /** The records of its keys, for the index; undefined if an entry is invalid. */
  readonly sets: readonly [Uint8Array, Uint8Array] | undefined
}

const MOST_FAULTS = 100

/** Returns a function that verifies stretches of a log, in any order. */
export function stretchAuditor({
  folder,
  size,
  keys,
  wanted,
}: Omit<AuditJob, 'until'>): (stretch: Stretch) => StretchReport {
  const keyring = new Keyring(keys, sha256)
  return stretch => {
    const gathering = new Gathering(stretch, wanted)
    for (const entry of readStretch(folder, size, stretch)) {
      const audited = auditEntry(entry, keyring)
      if ('code' in audited) gathering.fault(audited)
      else gathering.add(entry.index, audited)
    }
    return gathering.report()
  }
}

class Gathering {
  readonly #stretch: Stretch
  readonly #records = new KeyRecords()
  readonly #faults: EntryFault[] = []
  readonly #kinds: Record<string, number> = {}
  readonly #keys: Record<string, number> = {}
  readonly #erased: Erased[] = []
  readonly #erasures: Erasure[] = []
  readonly #turns: QuarantineTurn[] = []
  readonly #kindsWanted: readonly EntryKind[]
  readonly #wanted: number[] = []
  #faultCount = 0
  #read = 0
  #earliest: Moment | undefined
  #latest: Moment | undefined

  constructor(stretch: Stretch, wanted: readonly EntryKind[]) {
    this.#stretch = stretch
    this.#kindsWanted = wanted
  }

  fault(fault: EntryFault): void {
    this.#faultCount++
    if (this.#faults.length < MOST_FAULTS) this.#faults.push(fault)
  }

  add(index: number, entry: SoundEntry): void {
    this.#read++
    this.#records.add(entry.keys, index)
    const { digest } = entry
    if (entry.is === 'erased') {
      const { ids, keys, reason, by, at } = entry.tombstone
      this.#erased.push({ index, digest, ids, keys, reason, by, at })
      return
    }
    const { kind, at, key } = entry
    this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1
    this.#keys[key.keyid] = (this.#keys[key.keyid] ?? 0) + 1
    this.#time({ at, index, digest })
    if (kind === 'security-event' || kind === 'reconciliation')
      this.#turns.push(...turnsIn(index, kind, entry.keys))
    if (this.#kindsWanted.includes(kind)) this.#wanted.push(index)
    if (entry.erasure) this.#erasures.push(erasureOf(index, entry.erasure))
  }

  #time(moment: Moment): void {
    const why = whyBack(this.#latest, moment)
    if (why) this.fault(why)
    if (!this.#earliest || moment.at < this.#earliest.at) this.#earliest = moment
    if (!this.#latest || moment.at > this.#latest.at) this.#latest = moment
  }

  report(): StretchReport {
    const { from, to } = this.#stretch
    const [unique, also] = this.#records.sets()
    return {
      from,
      to,
      faults: this.#faults,
      faultCount: this.#faultCount,
      kinds: this.#kinds,
      keys: this.#keys,
      erased: this.#erased,
      erasures: this.#erasures,
      turns: this.#turns,
      wanted: this.#wanted,
      earliest: this.#earliest,
      latest: this.#latest,
      // Copied, because posting a view would send its whole buffer.
      sets: this.#read === to - from ? [new Uint8Array(unique), new Uint8Array(also)] : undefined,
    }
  }
}

/** Returns a fault if an entry is older than an earlier one: times are taken under the append lock. */
export function whyBack(latest: Moment | undefined, moment: Moment): EntryFault | undefined {
  const { at, index, digest } = moment
  if (!latest || at >= latest.at) return undefined
  const detail = `its time is ${formatInstant(at)}, but entry ${latest.index} before it has ${formatInstant(latest.at)}`
  return { code: 'ledger/time-backwards', index, digest, detail }
}

function erasureOf(recorded: number, predicate: Readonly<Record<string, unknown>>): Erasure {
  const { index, digest, reason, by, at, ids, keys } = predicate
  return { recorded, index, digest, reason, by, at, ids, keys }
}
