import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LastClock } from '../log.ts'
import { type Tile, tilePath } from '../tile.ts'
import { FrameEncoder } from './frame.ts'
import { encodeRun, RECORD_SIZE } from './key-run.ts'
import { contentPath, type Places, placesIn } from './paths.ts'
import { formatTree, type TreeState } from './tree.ts'
import { writeAll } from './wal.ts'

/** The keys of an entry, as stored in an index. */
export interface KeyRow {
  /** SHA-256 of the key. */
  readonly key: Uint8Array
  readonly index: number
  readonly isUnique: boolean
}

/** A promised entry that no checkpoint covers yet. */
interface PromisedEntry {
  readonly leaf: Uint8Array
  readonly content: string
  readonly digest: string
}

/** Writes a log that is stored elsewhere as a folder, for inspection; it is not appended to. */
export class LogFolder {
  readonly #places: Places

  constructor(folder: string) {
    this.#places = placesIn(folder)
  }

  checkpoint(note: string): void {
    write(this.#places.checkpoint, note)
  }

  tile(tile: Tile, bytes: Uint8Array): void {
    write(join(this.#places.folder, tilePath(tile)), bytes)
  }

  /** Writes the contents of a group of at most 256 entries. */
  contents(group: number, lines: readonly string[]): void {
    const bytes = lines.map(line => Buffer.from(`${line}\n`))
    write(contentPath(this.#places.folder, group), Buffer.concat(bytes))
  }

  /** Writes the index of a range, in the key order of its entries. */
  keys(
    { from, to }: { readonly from: number; readonly to: number },
    rows: readonly KeyRow[],
  ): void {
    const sets = [rows.filter(row => row.isUnique), rows.filter(row => !row.isUnique)] as const
    write(
      join(this.#places.keys, `${from}-${to}`),
      encodeRun(from, to, [encoded(sets[0]), encoded(sets[1])]),
    )
  }

  /** Writes the state of the log. */
  state(tree: TreeState): void {
    write(this.#places.tree, formatTree(tree))
  }

  /** Adds promised entries that no checkpoint covers. */
  promised(first: number, clock: LastClock, entries: readonly PromisedEntry[]): void {
    const drafts = entries.map(entry => ({ ...entry, keys: { unique: [], also: [] } }))
    makeFolder(this.#places.wal)
    const frame = new FrameEncoder().encode(first, clock, drafts)
    appendFileSync(join(this.#places.wal, String(first)), frame, { mode: 0o600 })
  }
}

function encoded(rows: readonly KeyRow[]): Buffer {
  const bytes = Buffer.alloc(rows.length * RECORD_SIZE)
  for (const [at, { key, index }] of rows.entries()) {
    bytes.set(key, at * RECORD_SIZE)
    bytes.writeDoubleLE(index, at * RECORD_SIZE + key.length)
  }
  return bytes
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

function write(file: string, bytes: Uint8Array | string): void {
  makeFolder(dirname(file))
  const descriptor = openSync(file, 'w', 0o600)
  try {
    writeAll(descriptor, typeof bytes === 'string' ? Buffer.from(bytes) : bytes, 0)
  } finally {
    closeSync(descriptor)
  }
}
