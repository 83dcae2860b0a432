import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { decodeBundle, TILE_WIDTH, tileAt } from '../tile.ts'
import { contentPath } from './paths.ts'
import { readTile } from './tiles.ts'

const LINE_END = 10

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

// The files are read into the same memory each time.
let memory = Buffer.allocUnsafeSlow(4_000_000)

/** The lines of a group that are wanted, as far as they are there. */
function linesOf(folder: string, group: number, begin: number, end: number): readonly string[] {
  const lines: string[] = []
  try {
    const length = readInto(contentPath(folder, group))
    for (let [at, line] = [0, 0]; line < end; line++) {
      const stop = memory.indexOf(LINE_END, at)
      if (stop < 0 || stop >= length) break
      if (line >= begin) lines.push(memory.toString('utf8', at, stop))
      at = stop + 1
    }
  } catch {
    // Their entries will be told to have no content.
  }
  return lines
}

/** Reads a file into the memory, and gives its length. */
function readInto(file: string): number {
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    if (size > memory.length) memory = Buffer.allocUnsafeSlow(2 * size)
    let length = 0
    for (let got = -1; got !== 0 && length < size; length += got)
      got = readSync(descriptor, memory, length, size - length, length)
    return length
  } finally {
    closeSync(descriptor)
  }
}
