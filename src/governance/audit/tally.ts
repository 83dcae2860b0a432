import { isDeepStrictEqual } from 'node:util'
import { type IndexAudit, readStretch, UniqueAudit } from '../../ledger/index.ts'
import { keysOf } from '../entries/entry.ts'
import type { TellFinding } from './ahead.ts'
import type { AuditKey } from './keyring.ts'
import { QuarantineAudit } from './quarantine.ts'
import type { AuditedErasure, AuditedKey, Faults } from './report.ts'
import { type Erased, type Erasure, type Moment, type StretchReport, whyBack } from './stretch.ts'

/** Adds up the reports on a log's entries, in log order. */
export class Tally {
  readonly kinds: Record<string, number> = {}
  /** The entries of wanted kinds. */
  readonly wanted: number[] = []
  readonly #keys: Record<string, number> = {}
  readonly #erased: Erased[] = []
  readonly #erasures: Erasure[] = []
  readonly #unique = new UniqueAudit()
  readonly #quarantine = new QuarantineAudit()
  readonly #index: IndexAudit | undefined
  readonly #faults: Faults
  #first: Moment | undefined
  #latest: Moment | undefined

  constructor(index: IndexAudit | undefined, faults: Faults) {
    this.#index = index
    this.#faults = faults
  }

  /** Times of the first and the last entry, in milliseconds since the epoch. */
  get span(): { since: number | undefined; until: number | undefined } {
    return { since: this.#first?.at, until: this.#latest?.at }
  }

  add(report: StretchReport): void {
    const { from, to, faults, faultCount, kinds, keys, erased, erasures, wanted, sets } = report
    const back = report.earliest && whyBack(this.#latest, report.earliest)
    for (const { code, detail, index, digest } of back ? [back, ...faults] : faults)
      this.#faults.add(code, detail, { index, digest })
    this.#faults.more(faultCount - faults.length)
    addUp(this.kinds, kinds)
    addUp(this.#keys, keys)
    this.#erased.push(...erased)
    this.#erasures.push(...erasures)
    this.wanted.push(...wanted)
    this.#first ??= report.earliest
    if (report.latest && report.latest.at > (this.#latest?.at ?? Number.NEGATIVE_INFINITY))
      this.#latest = report.latest
    const [unique, also] = (sets ?? []).map(set =>
      Buffer.from(set.buffer, set.byteOffset, set.length),
    )
    this.#index?.add({ from, to, sets: unique && also && [unique, also] })
    if (unique) this.#unique.add(unique)
    for (const { index, agent, since } of this.#quarantine.add(report.turns, also))
      this.#faults.add(
        'ledger/accepted-in-quarantine',
        `'${agent}' was in quarantine since entry ${since}, without a reconciliation`,
        { index },
      )
  }

  /** Adds the faults that concern several entries together. */
  end(folder: string, size: number, tell: TellFinding): void {
    for (const finding of this.#index?.findings ?? []) tell(finding)
    for (const suspects of this.#unique.suspects()) this.#refuseTwice(folder, size, suspects)
  }

  #refuseTwice(folder: string, size: number, suspects: readonly number[]): void {
    const owners = new Map<string, number>()
    for (const at of suspects)
      for (const { index, content } of readStretch(folder, size, { from: at, to: at + 1 })) {
        const { digest, keys } = keysOf(content?.toString() ?? '')
        for (const key of keys.unique) {
          const owner = owners.get(key)
          if (owner === undefined) owners.set(key, index)
          else
            this.#faults.add('ledger/duplicate-key', `'${key}' is already used by entry ${owner}`, {
              index,
              digest,
            })
        }
      }
  }

  /** Returns the erased entries, each with its record; calls `since` only if a record is missing. */
  erased(since: () => readonly Erasure[]): AuditedErasure[] {
    const gone = new Set(this.#erased.map(({ index }) => index))
    for (const { index, recorded } of this.#erasures)
      if (typeof index !== 'number' || !gone.has(index))
        this.#faults.add(
          'ledger/erasure-unfinished',
          `entry ${recorded} records the erasure of entry ${String(index)}, but its content still exists: run waybill log erase ${String(index)}`,
          { index: recorded },
        )
    const known = byIndex(this.#erasures)
    const find = (one: Erased, all: typeof known) =>
      all.get(one.index)?.find(erasure => isErasureOf(erasure, one))
    const late = byIndex(this.#erased.every(one => find(one, known)) ? [] : since())
    return this.#erased.map(one => {
      const recorded = (find(one, known) ?? find(one, late))?.recorded ?? null
      if (recorded === null)
        this.#faults.add(
          'ledger/erasure-unrecorded',
          `no entry records that it was erased by ${one.by} at ${one.at}: ${one.reason}`,
          { index: one.index, digest: one.digest },
        )
      return { ...one, recorded }
    })
  }

  /** The keys that entries were signed with. */
  keys(trusted: readonly AuditKey[] | undefined): AuditedKey[] {
    return Object.entries(this.#keys).map(([keyid, entries]) => ({
      keyid,
      holder: trusted?.find(key => key.keyid === keyid)?.holder ?? null,
      entries,
    }))
  }
}

/** Groups erasures by the index of the erased entry. */
function byIndex(erasures: readonly Erasure[]): ReadonlyMap<unknown, readonly Erasure[]> {
  const found = new Map<unknown, Erasure[]>()
  for (const one of erasures) {
    const others = found.get(one.index)
    if (others) others.push(one)
    else found.set(one.index, [one])
  }
  return found
}

function isErasureOf(erasure: Erasure, erased: Erased): boolean {
  return (
    erasure.recorded > erased.index &&
    (['index', 'digest', 'reason', 'by', 'at'] as const).every(
      key => erasure[key] === erased[key],
    ) &&
    // The record has all ids of the erased entry, plus its digest.
    isDeepStrictEqual(
      new Map(Object.entries({ ...erased.ids, entry: erased.digest })),
      new Map(Object.entries(erasure.ids ?? {})),
    ) &&
    // Older records have no keys.
    (erasure.keys === undefined || isDeepStrictEqual(erasure.keys, erased.keys))
  )
}

function addUp(sums: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count
}
