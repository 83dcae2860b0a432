import { type Draft, type Hash, keyHash, leafHash, sha256, type Taken } from '../../ledger/index.ts'
import type { Row } from './database.ts'

/** An entry by which a key is taken, or the last one that has it. */
type Holder = Omit<Taken, 'taken'>

/** What the database has said of keys: who has a unique one, and which entry was the last to get another. */
export class KnownKeys {
  readonly #owners = new Map<string, Holder>()
  readonly #newest = new Map<string, Holder>()

  /** Learns what stood in the way of a group. */
  learn(conflicts: readonly Row[]): void {
    for (const { outcome, key, index, digest } of conflicts) {
      const holders = outcome === 'owner' ? this.#owners : this.#newest
      holders.set(hexOf(key), { index: Number(index), digest: hexOf(digest) })
    }
  }

  owner(key: string): Holder | undefined {
    return this.#owners.size === 0 ? undefined : this.#owners.get(keyHash(key).toString('hex'))
  }

  newest(key: string): Holder | undefined {
    return this.#newest.size === 0 ? undefined : this.#newest.get(keyHash(key).toString('hex'))
  }
}

const hexOf = (bytes: unknown) => Buffer.from(bytes as Uint8Array).toString('hex')

/** A group that a database can be given. */
export interface EncodedGroup {
  /** As the statement wants them, from digests to what was seen. */
  readonly values: readonly unknown[]
}

/** A draft that another one of its group keeps out, `at` places behind the first that is appended. */
interface TakenWithin {
  readonly taken: string
  readonly at: number
  readonly digest: string
}

/** Why a draft is not appended. */
export type Refusal = Taken | TakenWithin

/** Drafts that can be appended, and why the others cannot, in the order of all. */
export interface Sorted {
  readonly accepted: readonly Draft[]
  readonly refusals: readonly (Refusal | undefined)[]
}

/** Divides drafts into those that can be appended and those that a key keeps out. */
export function sortGroup(drafts: readonly Draft[], known: KnownKeys): Sorted {
  const accepted: Draft[] = []
  const owners = new Map<string, Within>()
  const newest = new Map<string, Within>()
  const refusals = drafts.map(draft => {
    const refusal = refusalOf(draft, { owners, newest, known })
    if (refusal) return refusal
    const within = { at: accepted.length, digest: draft.digest }
    accepted.push(draft)
    for (const key of draft.keys.unique) owners.set(key, within)
    for (const key of [...draft.keys.unique, ...draft.keys.also]) newest.set(key, within)
    return undefined
  })
  return { accepted, refusals }
}

type Within = Omit<TakenWithin, 'taken'>

interface Holders {
  readonly owners: ReadonlyMap<string, Within>
  readonly newest: ReadonlyMap<string, Within>
  readonly known: KnownKeys
}

function refusalOf(
  { keys, seen = [] }: Draft,
  { owners, newest, known }: Holders,
): Refusal | undefined {
  for (const key of keys.unique) {
    const holder = owners.get(key) ?? known.owner(key)
    if (holder) return { taken: key, ...holder }
  }
  for (const { key, last } of seen) {
    const within = newest.get(key)
    if (within) return { taken: key, ...within }
    const holder = known.newest(key)
    // Who has seen a later one than we know of is for the database to judge.
    if (holder && holder.index > (last ?? -1)) return { taken: key, ...holder }
  }
  return undefined
}

/** Brings a group into the shape in which one statement for each table takes it. */
export function encodeGroup(drafts: readonly Draft[]): EncodedGroup {
  const starts: number[] = []
  let end = 1
  for (const { leaf } of drafts) {
    starts.push(end)
    end += leaf.length
  }
  const { keys, entries, unique } = keysIn(drafts)
  const seen = drafts.flatMap(draft => draft.seen ?? [])
  return {
    values: [
      Buffer.from(drafts.map(({ digest }) => digest).join(''), 'hex'),
      Buffer.concat(drafts.map(({ leaf }) => leaf)),
      starts,
      drafts.map(({ leaf }) => leaf.length),
      drafts.map(({ content }) => content).join('\n'),
      Buffer.concat(keys.map(keyHash)),
      entries,
      unique,
      Buffer.concat(seen.map(({ key }) => keyHash(key))),
      // No entry stands at -1.
      seen.map(({ last }) => last ?? -1),
    ],
  }
}

/** The keys of a group, the unique ones first, and at which entry of it each stands. */
function keysIn(drafts: readonly Draft[]) {
  const keys: string[] = []
  const entries: number[] = []
  const add = (key: string, at: number) => {
    keys.push(key)
    entries.push(at)
  }
  for (const [at, draft] of drafts.entries())
    for (const key of new Set(draft.keys.unique)) add(key, at)
  const unique = keys.length
  for (const [at, draft] of drafts.entries()) {
    const taken = new Set(draft.keys.unique)
    for (const key of new Set(draft.keys.also)) if (!taken.has(key)) add(key, at)
  }
  return { keys, entries, unique }
}

/** The hashes of the leaves of drafts. */
export function leafHashes(drafts: readonly Draft[]): readonly Hash[] {
  return drafts.map(({ leaf }) => leafHash(sha256, leaf))
}
