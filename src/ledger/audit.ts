import { concat } from './bytes.ts'
import { HASH_SIZE, type Hash, isSame, leafHash, type Sha256, subtreeHash } from './hash.ts'
import { rootFromTiles } from './proofs.ts'
import { decodeBundle, TILE_WIDTH, type Tile, tileAt, tilePath } from './tile.ts'
import type { ReadTile } from './tile-reader.ts'

/** The first invalid file of a log; with an index, the first entry that differs from the tree. */
export interface Damage {
  readonly fault: string
  readonly tile: Tile
  readonly index?: number
}

const FULL = TILE_WIDTH * HASH_SIZE

/**
 * Recomputes a whole log of a given size from its entries: every leaf, every tile above, and the root. Memory stays
 * flat. `visit` receives each entry whose hash is in the tree.
 */
export async function auditTree(
  sha256: Sha256,
  size: number,
  read: ReadTile,
  visit: (index: number, entry: Uint8Array) => void = () => {},
): Promise<{ readonly root: Hash } | Damage> {
  const edge: Uint8Array[] = []
  for (let index = 0; index * TILE_WIDTH < size; index++) {
    const leaves = await auditEntries(sha256, tileAt('entries', index, size), read, visit)
    if ('fault' in leaves) return leaves
    const damage = await auditTiles(sha256, size, leaves, index, edge, read)
    if (damage) return damage
  }
  const root = await rootFromTiles(
    sha256,
    size,
    tile => edge[Number(tile.level)] ?? new Uint8Array(0),
  )
  return { root }
}

/** Reads a bundle and returns the leaf hashes of its entries, which must match the tile above. */
async function auditEntries(
  sha256: Sha256,
  tile: Tile,
  read: ReadTile,
  visit: (index: number, entry: Uint8Array) => void,
): Promise<Uint8Array | Damage> {
  const [bundle, stored] = await Promise.all([read(tile), read({ ...tile, level: 0 })])
  const below = { ...tile, level: 0 }
  if (stored.length !== tile.width * HASH_SIZE)
    return { fault: `${tilePath(below)} does not hold ${tile.width} hashes`, tile: below }
  const entries = decodeBundle(bundle)
  if (entries?.length !== tile.width)
    return { fault: `${tilePath(tile)} does not hold ${tile.width} entries`, tile }
  const leaves = new Uint8Array(tile.width * HASH_SIZE)
  for (const [at, entry] of entries.entries()) {
    const index = tile.index * TILE_WIDTH + at
    const leaf = leafHash(sha256, entry)
    leaves.set(leaf, at * HASH_SIZE)
    if (!isSame(leaf, stored.subarray(at * HASH_SIZE, (at + 1) * HASH_SIZE)))
      return { fault: `entry ${index} differs from its hash in the tree`, tile, index }
    visit(index, entry)
  }
  return leaves
}

/** Carries the root of each full tile up the right edge, and compares the tiles that this completes. */
async function auditTiles(
  sha256: Sha256,
  size: number,
  leaves: Uint8Array,
  index: number,
  edge: Uint8Array[],
  read: ReadTile,
): Promise<Damage | undefined> {
  edge[0] = leaves
  let [hashes, at] = [leaves, index]
  for (let level = 1; hashes.length === FULL; level++) {
    const row = at % TILE_WIDTH === 0 ? new Uint8Array(0) : edge[level]
    hashes = concat(row ?? new Uint8Array(0), subtreeHash(sha256, hashes))
    at = Math.floor(at / TILE_WIDTH)
    edge[level] = hashes
    const tile = tileAt(level, at, size)
    // A narrower tile is compared once it has the width that the log needs.
    if (hashes.length === tile.width * HASH_SIZE && !isSame(hashes, await read(tile)))
      return { fault: `${tilePath(tile)} does not match the tiles below it`, tile }
  }
  return undefined
}
