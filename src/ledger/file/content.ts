import { closeSync, constants, fsyncSync, ftruncateSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { TILE_WIDTH } from '../tile.ts'
import type { DurableFiles } from './durable.ts'
import { cannotRead, cannotWrite, isMissing, tampered } from './fault.ts'
import { Lines, lineEnd } from './lines.ts'
import { contentPath } from './paths.ts'
import { LONGEST_CONTENTS, readOpen, readRegular, regularSize } from './regular.ts'
import { writeAll } from './wal.ts'

const LINE_END = 10

/** Reads the existing lines of a group of 256 entries; the last may be incomplete or unpublished. */
export function readLines(folder: string, group: number): Lines {
  const file = contentPath(folder, group)
  try {
    return new Lines(file, readRegular(file, LONGEST_CONTENTS))
  } catch (cause) {
    if (isMissing(cause)) return new Lines(file, Buffer.alloc(0))
    throw cannotRead(file, cause)
  }
}

/** Reads contents in sequence without reading a file again for every line. */
export class ContentReader {
  readonly #folder: string
  #held: { readonly group: number; readonly stamp: string; readonly lines: Lines } | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The content of a published entry. */
  read(index: number): string {
    const group = Math.floor(index / TILE_WIDTH)
    const stamp = stampOf(contentPath(this.#folder, group))
    let held = this.#held
    if (held?.group !== group || held.stamp !== stamp) {
      // Release the old group first: it may be large.
      this.#held = undefined
      held = { group, stamp, lines: readLines(this.#folder, group) }
      this.#held = held
    }
    const line = held.lines.at(index % TILE_WIDTH)
    if (line === undefined)
      throw tampered(`${contentPath(this.#folder, group)} lacks the content of entry ${index}`)
    return line
  }
}

/** A stamp that changes whenever a file is written or replaced. */
function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : ''
}

/**
 * Writes lines after the first `had` lines of a group, in place.
 *
 * Earlier lines stay untouched. Lines left behind them by a killed process were never published.
 */
export function writeLines(
  files: DurableFiles,
  folder: string,
  group: number,
  had: number,
  lines: readonly Uint8Array[],
): void {
  const file = contentPath(folder, group)
  files.makeFolder(dirname(file))
  try {
    const descriptor = openSync(
      file,
      had === 0 ? NEW : constants.O_RDWR | constants.O_NONBLOCK,
      0o600,
    )
    try {
      const size = regularSize(descriptor, file)
      const at = had === 0 ? 0 : endOfLine(descriptor, { file, size }, had)
      if (size > at) ftruncateSync(descriptor, at)
      const end = Buffer.of(LINE_END)
      writeAll(descriptor, Buffer.concat(lines.flatMap(line => [line, end])), at)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    if (isMissing(cause)) throw tampered(`${file} is missing`)
    throw cannotWrite(file, cause)
  }
  if (had === 0) files.touch(dirname(file))
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK

function endOfLine(
  descriptor: number,
  { file, size }: { readonly file: string; readonly size: number },
  count: number,
): number {
  const bytes = readOpen(descriptor, size)
  let at = 0
  for (let line = 0; line < count; line++) {
    at = lineEnd(bytes, at) + 1
    if (at === 0) throw tampered(`${file} has ${line} lines instead of ${count}`)
  }
  return at
}

/** Replaces one line. */
export function replaceLine(
  files: DurableFiles,
  folder: string,
  index: number,
  text: string,
): void {
  const group = Math.floor(index / TILE_WIDTH)
  const file = contentPath(folder, group)
  const replaced = readLines(folder, group).with(index % TILE_WIDTH, text)
  if (!replaced) throw tampered(`${file} lacks the content of entry ${index}`)
  files.replace(file, Buffer.concat(replaced))
}
