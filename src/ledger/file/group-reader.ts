import { decodeBundle, TILE_WIDTH, tileAt } from '../tile.ts'
import { lineEnd } from './lines.ts'
import { contentPath } from './paths.ts'
import { readShared } from './shared-memory.ts'
import { readTile } from './tiles.ts'
import { filesBelow } from './walk.ts'

/** An entry as stored. */
export interface StoredEntry {
  readonly index: number
  readonly leaf: Uint8Array
  /** Absent if the line is missing; valid until the next entry is read. */
  readonly content: Buffer | undefined
}

/** Reads a range of a log, 256 entries at a time; skips the entries of an unreadable bundle. */
export function* readStretch(
  folder: string,
  size: number,
  { from, to }: { readonly from: number; readonly to: number },
): Generator<StoredEntry> {
  for (let group = Math.floor(from / TILE_WIDTH); group * TILE_WIDTH < to; group++) {
    const leaves = leavesOf(folder, group, size)
    const first = group * TILE_WIDTH
    const begin = Math.max(0, from - first)
    const end = Math.min(to - first, leaves.length)
    const lines = linesOf(folder, group, begin, end)
    for (let at = begin; at < end; at++) {
      const leaf = leaves[at]
      if (leaf) yield { index: first + at, leaf, content: lines[at - begin] }
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

/**
 * An upper bound of entries from the files in a folder, even if half were missing: a checkpoint may claim any number.
 */
export function mostEntries(folder: string): number {
  return 2 * TILE_WIDTH * [...filesBelow(folder, 'tile/entries')].length
}

/** The wanted lines of a group, as far as present. */
function linesOf(folder: string, group: number, begin: number, end: number): readonly Buffer[] {
  const lines: Buffer[] = []
  try {
    const bytes = readShared(contentPath(folder, group))
    for (let [at, line] = [0, 0]; line < end; line++) {
      const stop = lineEnd(bytes, at)
      if (stop < 0) break
      if (line >= begin) lines.push(bytes.subarray(at, stop))
      at = stop + 1
    }
  } catch {
    // Their entries are reported as missing content.
  }
  return lines
}
