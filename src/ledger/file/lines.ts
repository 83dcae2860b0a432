import { constants } from 'node:buffer'
import { WaybillError } from '../../error.ts'

const LINE_END = 10
/** From a place behind this Node looks in another one. */
const FARTHEST = 0x7fff_ffff

/** No text can be longer: what is cannot be what a log has written. */
export const LONGEST_LINE = constants.MAX_STRING_LENGTH

/** Where the line that begins at a place ends; -1 where it has no end. */
export function lineEnd(bytes: Buffer, at: number, farthest = FARTHEST): number {
  if (bytes.length <= farthest) return bytes.indexOf(LINE_END, at)
  for (let from = at; from < bytes.length; from += farthest) {
    const found = bytes.subarray(from, from + farthest).indexOf(LINE_END)
    if (found >= 0) return from + found
  }
  return -1
}

/** The lines of a file, all together perhaps longer than a text can be: each becomes one when it is asked for. */
export class Lines {
  readonly #file: string
  readonly #bytes: Buffer
  /** Where each line ends. */
  readonly #ends: number[] = []

  constructor(file: string, bytes: Buffer) {
    this.#file = file
    this.#bytes = bytes
    // What follows the last line end is no line.
    for (let end = lineEnd(bytes, 0); end >= 0; end = lineEnd(bytes, end + 1)) this.#ends.push(end)
  }

  /** A line as text; nothing where there are not so many. */
  at(index: number): string | undefined {
    const place = this.#placeOf(index)
    if (!place) return undefined
    const length = place.end - place.start
    if (length <= LONGEST_LINE) return this.#bytes.toString('utf8', place.start, place.end)
    throw new WaybillError('input-output', `a line of ${this.#file} has ${length} bytes`, {
      hint: 'no log puts that there: find out who did, and put the newest copy of the file back',
    })
  }

  /** The file with another line in the place of one; nothing where there are not so many. */
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
