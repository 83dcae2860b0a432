import { concat } from '../bytes.ts'
import { type Hash, leafHash } from '../hash.ts'
import { parseLeaf } from '../leaf.ts'
import type { EntryFacts, EntryKeys } from '../log.ts'
import { isIncluded, siblingsOf } from '../proofs.ts'
import { decodeBundle, TILE_WIDTH, tileAt } from '../tile.ts'
import { hashesInTiles } from '../tile-reader.ts'
import { readLines } from './content.ts'
import { tampered } from './fault.ts'
import { contentPath } from './paths.ts'
import { sha256 } from './sha256.ts'
import { readTile } from './tiles.ts'

/** Reads the facts of an entry from its content. */
export type KeysOf = (content: string) => EntryFacts

/** A range of the log, from the first index up to, but excluding, the second. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** The contents of a log, and the tree to verify them against. */
export interface Contents {
  readonly folder: string
  readonly tree: { readonly size: number; readonly root: Hash }
  readonly keysOf: KeysOf
}

/**
 * The facts of a range of entries, from their contents. Each content is verified against its leaf, and a tombstone
 * against the recorded erasure; otherwise anyone who changes a content could decide what is found.
 */
export function* factsOf(
  contents: Contents,
  stretch: Stretch,
): Generator<readonly [index: number, facts: EntryFacts]> {
  for (const [index, facts] of heldFacts(contents, stretch)) {
    if (!facts.isErased) {
      yield [index, facts]
      continue
    }
    const erased = erasedIn(contents)
    if (!erased.has(facts.digest))
      throw tampered(`the content of entry ${index} is missing, and no entry records its erasure`)
    yield [index, { ...facts, keys: erased.get(facts.digest) ?? facts.keys }]
  }
}

type Erased = ReadonlyMap<string, EntryKeys | undefined>

// Reads the whole log once, for any number of ranges.
const known = new WeakMap<Contents, Erased>()

/** The recorded erasures by name of the erased entry, with its keys if stated. */
function erasedIn(contents: Contents): Erased {
  const before = known.get(contents)
  if (before) return before
  const erased = new Map<string, EntryKeys | undefined>()
  for (const [, { erases }] of heldFacts(contents, { from: 0, to: contents.tree.size }))
    if (erases && !erased.has(erases.digest)) erased.set(erases.digest, erases.keys)
  known.set(contents, erased)
  return erased
}

function* heldFacts(
  contents: Contents,
  { from, to }: Stretch,
): Generator<readonly [index: number, facts: EntryFacts]> {
  const { folder, keysOf } = contents
  for (let group = Math.floor(from / TILE_WIDTH); group * TILE_WIDTH < to; group++) {
    const lines = readLines(folder, group)
    const leaves = leavesOf(contents, group)
    const first = group * TILE_WIDTH
    for (let index = Math.max(first, from); index < Math.min(first + TILE_WIDTH, to); index++) {
      const line = lines.at(index - first)
      if (line === undefined) throw tampered(`the content of entry ${index} is missing`)
      const facts = keysOf(line)
      const leaf = parseLeaf(leaves[index - first] ?? new Uint8Array())
      if ('fault' in leaf || leaf.digest !== facts.digest)
        throw tampered(
          `${contentPath(folder, group)} has a different content for entry ${index} than was recorded`,
        )
      yield [index, facts]
    }
  }
}

/** The leaves of a group of 256 entries, verified against the tree: the proof of the first one covers all. */
function leavesOf({ folder, tree }: Contents, group: number): readonly Uint8Array[] {
  const { size, root } = tree
  const first = group * TILE_WIDTH
  const leaves = decodeBundle(readTile(folder, tileAt('entries', group, size))) ?? []
  const hashes = leaves.map(leaf => leafHash(sha256, leaf))
  const proof = hashesInTiles(sha256, size, siblingsOf(size, first), tile =>
    tile.level === 0 && tile.index === group ? concat(...hashes) : readTile(folder, tile),
  )
  const leaf = hashes[0] ?? new Uint8Array()
  if (isIncluded(sha256, { index: first, size, leaf, proof, root })) return leaves
  throw tampered(`the tree and the bundle of leaves differ from entry ${first} on`)
}
