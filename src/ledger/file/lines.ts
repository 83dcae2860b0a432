import { constants } from 'node:buffer'
import { WaybillError } from '../../error.ts'

const LINE_END = 10
/** Beyond this offset Node's search is wrong. */
const FARTHEST = 0x7fff_ffff

/** The longest possible string: a longer line cannot come from a log. */
export const LONGEST_LINE = constants.MAX_STRING_LENGTH

/** The end of the line that starts at an offset; -1 if it has none. */
export function lineEnd(bytes: Buffer, at: number, farthest = FARTHEST): number {
  if (bytes.length <= farthest) return bytes.indexOf(LINE_END, at)
  for (let from = at; from < bytes.length; from += farthest) {
    const found = bytes.subarray(from, from + farthest).indexOf(LINE_END)
    if (found >= 0) return from + found
  }
  return -1
}

/** The lines of a file, which may exceed the longest string in total; each is decoded on request. */
export class Lines {
  readonly #file: string
  readonly #bytes: Buffer
  /** The end of each line. */
  readonly #ends: number[] = []

  constructor(file: string, bytes: Buffer) {
    this.#file = file
    this.#bytes = bytes
    // Bytes after the last line end are not a line.
    for (let end = lineEnd(bytes, 0); end >= 0; end = lineEnd(bytes, end + 1)) this.#ends.push(end)
  }

  /** A line as text; undefined if there are fewer lines. */
  at(index: number): string | undefined {
    const place = this.#placeOf(index)
    if (!place) return undefined
    const length = place.end - place.start
    if (length <= LONGEST_LINE) return this.#bytes.toString('utf8', place.start, place.end)
    throw new WaybillError('input-output', `a line of ${this.#file} has ${length} bytes`, {
      hint: 'a log never writes this: find out who did, and restore the newest copy of the file',
    })
  }

  /** The file with one line replaced; undefined if there are fewer lines. */
  with(index: number, text: string): readonly Uint8Array[] | undefined {
    const place = this.#placeOf(index)
    if (!place) return undefined
    const end = this.#ends.at(-1) ?? 0
    return [
      this.#bytes.subarray(0, place.start),
      Buffer.from(text),
      this.#bytes.subarray(place.end, end + 1),
    ]
  }

  #placeOf(index: number): { readonly start: number; readonly end: number } | undefined {
    const end = this.#ends[index]
    if (end === undefined) return undefined
    return { start: index === 0 ? 0 : (this.#ends[index - 1] ?? 0) + 1, end }
  }
}
