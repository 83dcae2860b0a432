import { decodeBundle, TILE_WIDTH, tileAt } from '../tile.ts'
import { readLines } from './content.ts'
import { readTile } from './tiles.ts'

/** An entry as its files hold it. */
export interface StoredEntry {
  readonly index: number
  readonly leaf: Uint8Array
  /** Absent where the line is missing. */
  readonly content: string | undefined
}

/** Reads a stretch of a log of some size, 256 entries at a time; where a bundle cannot be read, its entries are passed over. */
export function* readStretch(
  folder: string,
  size: number,
  { from, to }: { readonly from: number; readonly to: number },
): Generator<StoredEntry> {
  for (let group = Math.floor(from / TILE_WIDTH); group * TILE_WIDTH < to; group++) {
    const leaves = leavesOf(folder, group, size)
    const lines = linesOf(folder, group)
    const first = group * TILE_WIDTH
    const end = Math.min(to - first, leaves.length)
    for (let at = Math.max(0, from - first); at < end; at++) {
      const leaf = leaves[at]
      if (leaf) yield { index: first + at, leaf, content: lines[at] }
    }
  }
}

function leavesOf(folder: string, group: number, size: number): readonly Uint8Array[] {
  try {
    return decodeBundle(readTile(folder, tileAt('entries', group, size))) ?? []
  } catch {
    return []
  }
}

function linesOf(folder: string, group: number): readonly string[] {
  try {
    return readLines(folder, group)
  } catch {
    return []
  }
}
