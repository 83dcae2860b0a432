import { type Draft, type Hash, keyHash, leafHash, sha256, type Taken } from '../../ledger/index.ts'
import type { Row } from './database.ts'

/** The entry that has a key. */
type Holder = Omit<Taken, 'taken'>

/** The owners of unique keys and the last entries of others, as reported by the database. */
export class KnownKeys {
  readonly #owners = new Map<string, Holder>()
  readonly #newest = new Map<string, Holder>()

  /** Adds the conflicts of a group. */
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

/** A group as statement parameters. */
export interface EncodedGroup {
  /** In the order of the statement's parameters. */
  readonly values: readonly unknown[]
}

/** A draft refused because of another one in its group, at an offset from the first. */
interface TakenWithin {
  readonly taken: string
  readonly at: number
  readonly digest: string
}

/** Why a draft is not appended. */
export type Refusal = Taken | TakenWithin

/** Drafts to append, and the refusals of the others in the order of all drafts. */
export interface Sorted {
  readonly accepted: readonly Draft[]
  readonly refusals: readonly (Refusal | undefined)[]
}

/** Splits drafts into accepted and refused ones by their keys. */
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
    // The database decides about later entries than we know of.
    if (holder && holder.index > (last ?? -1)) return { taken: key, ...holder }
  }
  return undefined
}

/** Encodes a group for one statement per table. */
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
      // No entry has the index -1.
      seen.map(({ last }) => last ?? -1),
    ],
  }
}

/** The keys of a group with the offset of their entry, unique ones first. */
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

/** The leaf hashes of drafts. */
export function leafHashes(drafts: readonly Draft[]): readonly Hash[] {
  return drafts.map(({ leaf }) => leafHash(sha256, leaf))
}
