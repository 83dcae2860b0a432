import { WaybillError } from '../error.ts'
import { joined } from './frontier.ts'
import { HASH_SIZE, type Hash, type Sha256, subtreeHash } from './hash.ts'
import { TILE_WIDTH, type Tile, tileAt, tilePath } from './tile.ts'

/** Reads the bytes of one tile from where the log is stored. */
export type ReadTile = (tile: Tile) => Uint8Array | Promise<Uint8Array>

/** The leaves from `start` up to, but excluding, `end`. */
export interface Leaves {
  readonly start: number
  readonly end: number
}

/** A full subtree of 2^height leaves: number `index` of its height. */
interface Subtree {
  readonly height: number
  readonly index: number
}

// 256 hashes are a subtree of height 8.
const TILE_HEIGHT = 8

/**
 * The hashes of several leaf ranges of a log, from its tiles; each is the RFC 6962 hash of the tree over these leaves.
 * A range starts at a multiple of a subtree at least as long, as in every proof. Fetches each tile once, all at the
 * same time; at most two per level.
 */
export async function hashesFromTiles(
  sha256: Sha256,
  size: number,
  stretches: readonly Leaves[],
  read: ReadTile,
): Promise<readonly Hash[]> {
  const tiles = tilesFor(size, stretches)
  const bytes = await Promise.all(tiles.map(read))
  return hashesIn(sha256, stretches, named(tiles, bytes))
}

/** The same, with synchronous reads. */
export function hashesInTiles(
  sha256: Sha256,
  size: number,
  stretches: readonly Leaves[],
  read: (tile: Tile) => Uint8Array,
): readonly Hash[] {
  const tiles = tilesFor(size, stretches)
  return hashesIn(sha256, stretches, named(tiles, tiles.map(read)))
}

function hashesIn(
  sha256: Sha256,
  stretches: readonly Leaves[],
  tiles: ReadonlyMap<string, Uint8Array>,
): readonly Hash[] {
  return stretches.map(subtreesOf).map(subtrees =>
    joined(
      sha256,
      subtrees.map(subtree => fromTile(sha256, subtree, tiles)),
    ),
  )
}

/** The full subtrees of a leaf range, largest first. */
export function subtreesOf({ start, end }: Leaves): readonly Subtree[] {
  const subtrees: Subtree[] = []
  for (let at = start; at < end; ) {
    let [height, length] = [0, 1]
    while (length * 2 <= end - at) [height, length] = [height + 1, length * 2]
    subtrees.push({ height, index: at / length })
    at += length
  }
  return subtrees
}

interface Place {
  readonly level: number
  readonly tile: number
  readonly first: number
  readonly count: number
}

/** Where the hashes of a subtree are stored. */
function placeOf({ height, index }: Subtree): Place {
  const level = Math.floor(height / TILE_HEIGHT)
  const count = 2 ** (height % TILE_HEIGHT)
  const first = index * count
  return { level, tile: Math.floor(first / TILE_WIDTH), first: first % TILE_WIDTH, count }
}

const nameOf = ({ level, tile }: Place) => `${level}/${tile}`

/** The distinct tiles needed for some leaf ranges. */
function tilesFor(size: number, stretches: readonly Leaves[]): readonly Tile[] {
  const places = stretches.flatMap(subtreesOf).map(placeOf)
  const once = new Map(places.map(place => [nameOf(place), place]))
  return [...once.values()].map(({ level, tile }) => tileAt(level, tile, size))
}

function named(tiles: readonly Tile[], bytes: readonly Uint8Array[]): Map<string, Uint8Array> {
  return new Map(
    tiles.map((tile, at) => [`${tile.level}/${tile.index}`, exactly(tile, bytes[at])] as const),
  )
}

function fromTile(sha256: Sha256, subtree: Subtree, tiles: ReadonlyMap<string, Uint8Array>): Hash {
  const place = placeOf(subtree)
  const bytes = tiles.get(nameOf(place)) ?? new Uint8Array(0)
  const start = place.first * HASH_SIZE
  return subtreeHash(sha256, bytes.subarray(start, start + place.count * HASH_SIZE))
}

/** Fails for a tile of hashes with the wrong length. */
function exactly(tile: Tile, bytes: Uint8Array = new Uint8Array(0)): Uint8Array {
  const expected = tile.width * HASH_SIZE
  if (bytes.length !== expected)
    throw new WaybillError(
      'ledger-tampered',
      `${tilePath(tile)} has ${bytes.length} bytes instead of ${expected}`,
      { hint: 'the log is damaged: restore this file, or verify the whole log' },
    )
  return bytes
}
