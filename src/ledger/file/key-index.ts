import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DurableFiles } from './durable.ts'
import { type Contents, factsOf, type Stretch } from './facts.ts'
import { cannotRead, isMissing } from './fault.ts'
import { KeyRecords } from './key-records.ts'
import { DamagedRun, encodeRun, KeyRun, type KeySet, keyHash, type RecordSets } from './key-run.ts'
import type { Places } from './paths.ts'

/** A run absorbs earlier runs that are less than this many times as large. */
const RATIO = 4
/** Merged runs have at most this many records: 64 MB. */
const MOST_RECORDS = 1_600_000
/** The number of entries per run when the index is rebuilt. */
const REBUILT = 16_384

/** The index of keys in a folder: immutable files, each for a range of the log. */
export class KeyIndex {
  readonly #folder: string
  #runs: KeyRun[] = []
  readonly #lasts = new Map<string, number | undefined>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Lists the files again; skips those of ranges that end after `most`. Returns the ranges of `size` entries without a
   * file.
   */
  refresh(size: number, most = Number.MAX_SAFE_INTEGER): Stretch[] {
    for (let tries = 0; ; tries++) {
      try {
        return this.#open(size, most)
      } catch (cause) {
        // It was merged into a larger one meanwhile.
        if (!isMissing(cause) || tries === 20) throw cannotRead(this.#folder, cause)
      }
    }
  }

  #open(size: number, most: number): Stretch[] {
    const { cover, gaps } = coverOf(stretchesIn(this.#folder), size, most)
    const known = new Map(this.#runs.map(run => [nameOf(run), run]))
    this.#runs = cover.map(
      stretch =>
        known.get(nameOf(stretch)) ??
        new KeyRun(join(this.#folder, nameOf(stretch)), stretch.from, stretch.to),
    )
    for (const run of known.values()) if (!this.#runs.includes(run)) run.close()
    this.#lasts.clear()
    return gaps
  }

  /** The indices of the entries with a key, ascending. */
  find(key: string): number[] {
    const hash = keyHash(key)
    return this.#runs.flatMap(run => {
      const [unique, also] = [run.find(0, hash), run.find(1, hash)]
      return unique.length === 0 ? also : [...new Set([...unique, ...also])].sort(ascending)
    })
  }

  /** The last entry with a key; cached until the files are listed again. */
  last(key: string): number | undefined {
    if (!this.#lasts.has(key)) this.#lasts.set(key, this.find(key).at(-1))
    return this.#lasts.get(key)
  }

  /** The entry with a unique key. */
  owner(key: string): number | undefined {
    if (this.#runs.length === 0) return undefined
    const hash = keyHash(key)
    for (const run of this.#runs) {
      const [index] = run.find(0, hash)
      if (index !== undefined) return index
    }
    return undefined
  }

  /** Removes a damaged file. */
  drop(damaged: KeyRun): void {
    rmSync(damaged.file, { force: true })
    this.#runs = this.#runs.filter(run => run !== damaged)
    damaged.close()
  }

  close(): void {
    for (const run of this.#runs) run.close()
    this.#runs = []
  }
}

const ascending = (one: number, other: number) => one - other
const nameOf = ({ from, to }: Stretch) => `${from}-${to}`

/** The ranges that have files, in no order. */
export function stretchesIn(folder: string): Stretch[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (cause) {
    if (isMissing(cause)) return []
    throw cause
  }
  return names
    .filter(name => /^[0-9]{1,16}-[0-9]{1,16}$/.test(name))
    .map(name => name.split('-').map(Number))
    .map(([from = 0, to = 0]) => ({ from, to }))
}

/** Of overlapping files the larger one wins: it was merged from the smaller ones. */
export function coverOf(
  stretches: readonly Stretch[],
  size: number,
  most: number,
): { cover: Stretch[]; gaps: Stretch[] } {
  const usable = stretches
    .filter(({ from, to }) => from < to && to <= most)
    .sort((one, other) => one.from - other.from || other.to - one.to)
  const cover: Stretch[] = []
  const gaps: Stretch[] = []
  let at = 0
  for (const stretch of usable) {
    if (stretch.from < at) continue
    if (stretch.from > at) gaps.push({ from: at, to: Math.min(stretch.from, size) })
    cover.push(stretch)
    at = stretch.to
  }
  if (at < size) gaps.push({ from: at, to: size })
  return { cover, gaps: gaps.filter(({ from, to }) => from < to) }
}

/** Writes the keys of a range of the log to the index. */
export function writeRun(
  files: DurableFiles,
  { keys }: Places,
  { from, to }: Stretch,
  sets: RecordSets,
): void {
  if (from < to) files.replace(join(keys, nameOf({ from, to })), encodeRun(from, to, sets))
}

/** Merges many small files into few large ones; removes files beyond `size`, left by a killed process. */
export function mergeRuns(places: Places, size: number): void {
  const stretches = stretchesIn(places.keys)
  const { cover } = coverOf(stretches, size, size)
  const kept = new Set(cover.map(nameOf))
  const remove = (names: Iterable<string>) => {
    for (const name of names) rmSync(join(places.keys, name), { force: true })
  }
  remove(stretches.map(nameOf).filter(name => !kept.has(name)))
  const runs = cover.map(
    ({ from, to }) => new KeyRun(join(places.keys, nameOf({ from, to })), from, to),
  )
  try {
    const merged = tail(runs)
    const [first, last] = [merged[0], merged.at(-1)]
    if (!first || !last || first === last) return
    const files = new DurableFiles(places.temporary)
    writeRun(files, places, { from: first.from, to: last.to }, [
      joined(merged, 0),
      joined(merged, 1),
    ])
    files.settle()
    remove(merged.map(nameOf))
  } catch (error) {
    if (!(error instanceof DamagedRun)) throw error
    remove([nameOf(error.run)])
  } finally {
    for (const run of runs) run.close()
  }
}

/** The last runs that are due to be merged. */
function tail(runs: readonly KeyRun[]): readonly KeyRun[] {
  let start = runs.length - 1
  let records = runs[start]?.size ?? 0
  for (let run = runs[start - 1]; run; run = runs[start - 1]) {
    const isNext = run.to === runs[start]?.from
    if (!isNext || run.size >= RATIO * records || run.size + records > MOST_RECORDS) break
    records += run.size
    start--
  }
  return runs.slice(Math.max(0, start))
}

/** The records of several runs; a damaged run is never merged. */
function joined(runs: readonly KeyRun[], set: KeySet): Buffer {
  for (const run of runs) if (set === 0 && !run.isSound()) throw new DamagedRun(run)
  return Buffer.concat(runs.map(run => run.records(set)))
}

/** Rebuilds a part of the index from the contents. */
export function rebuildRuns(
  places: Places,
  { from, to }: Stretch,
  held: Omit<Contents, 'folder'>,
): void {
  mkdirSync(places.temporary, { recursive: true, mode: 0o700 })
  const files = new DurableFiles(places.temporary)
  const contents = { ...held, folder: places.folder }
  for (let start = from; start < to; start += REBUILT) {
    const end = Math.min(to, start + REBUILT)
    const records = new KeyRecords()
    for (const [index, facts] of factsOf(contents, { from: start, to: end }))
      records.add(facts.keys, index)
    writeRun(files, places, { from: start, to: end }, records.sets())
  }
  files.settle()
}
