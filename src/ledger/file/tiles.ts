import { join } from 'node:path'
import { HASH_SIZE } from '../hash.ts'
import { decodeBundle, encodeBundle, TILE_WIDTH, type Tile, tilePath } from '../tile.ts'
import { cannotRead, isMissing, tampered } from './fault.ts'
import { LONGEST_TILE, readRegular } from './regular.ts'

/** Reads a tile; a partial one that was removed is cut from the full one. */
export function readTile(folder: string, tile: Tile): Uint8Array {
  const partial = bytesOf(join(folder, tilePath(tile)))
  if (partial) return partial
  const full = bytesOf(join(folder, tilePath({ ...tile, width: TILE_WIDTH })))
  if (full) return tile.level === 'entries' ? cutBundle(full, tile) : cutHashes(full, tile)
  throw tampered(`${tilePath(tile)} is missing`)
}

function bytesOf(file: string): Uint8Array | undefined {
  try {
    return readRegular(file, LONGEST_TILE)
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cannotRead(file, cause)
  }
}

function cutHashes(full: Uint8Array, { width }: Tile): Uint8Array {
  return full.subarray(0, width * HASH_SIZE)
}

function cutBundle(full: Uint8Array, tile: Tile): Uint8Array {
  const entries = decodeBundle(full)
  if (!entries) throw tampered(`${tilePath({ ...tile, width: TILE_WIDTH })} is damaged`)
  return encodeBundle(entries.slice(0, tile.width))
}
