import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { TILE_WIDTH } from '../tile.ts'
import type { DurableFiles } from './durable.ts'
import { cannotRead, cannotWrite, isMissing, tampered } from './fault.ts'
import { contentPath } from './paths.ts'
import { LONGEST_CONTENTS, readRegular, regularSize } from './regular.ts'
import { writeAll } from './wal.ts'

const LINE_END = 10

/** Reads the lines of a group of 256 entries that are there; the last may be unfinished or not yet published. */
export function readLines(folder: string, group: number): string[] {
  const file = contentPath(folder, group)
  let text: string
  try {
    text = readRegular(file, LONGEST_CONTENTS).toString()
  } catch (cause) {
    if (isMissing(cause)) return []
    throw cannotRead(file, cause)
  }
  const lines = text.split('\n')
  // What follows the last line end is no line.
  lines.pop()
  return lines
}

/** Reads contents one after another without reading a file again for every line. */
export class ContentReader {
  readonly #folder: string
  #held:
    | { readonly group: number; readonly stamp: string; readonly lines: readonly string[] }
    | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The content of a published entry. */
  read(index: number): string {
    const group = Math.floor(index / TILE_WIDTH)
    const stamp = stampOf(contentPath(this.#folder, group))
    if (this.#held?.group !== group || this.#held.stamp !== stamp)
      this.#held = { group, stamp, lines: readLines(this.#folder, group) }
    const line = this.#held.lines[index % TILE_WIDTH]
    if (line === undefined)
      throw tampered(`${contentPath(this.#folder, group)} lacks the content of entry ${index}`)
    return line
  }
}

/** Differs whenever a file was written or replaced. */
function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : ''
}

/**
 * Writes lines behind the first `had` of a group, in place.
 *
 * The lines before are not touched. What a process that was killed has left behind them was never published.
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
      const at = had === 0 ? 0 : endOfLine(descriptor, file, had)
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

function endOfLine(descriptor: number, file: string, count: number): number {
  const bytes = readFileSync(descriptor)
  let at = 0
  for (let line = 0; line < count; line++) {
    at = bytes.indexOf(LINE_END, at) + 1
    if (at === 0) throw tampered(`${file} has ${line} lines instead of ${count}`)
  }
  return at
}

/** Puts another line in the place of one. */
export function replaceLine(
  files: DurableFiles,
  folder: string,
  index: number,
  text: string,
): void {
  const group = Math.floor(index / TILE_WIDTH)
  const lines = readLines(folder, group)
  const file = contentPath(folder, group)
  if (lines.length <= index % TILE_WIDTH)
    throw tampered(`${file} lacks the content of entry ${index}`)
  lines[index % TILE_WIDTH] = text
  files.replace(file, lines.map(line => `${line}\n`).join(''))
}
