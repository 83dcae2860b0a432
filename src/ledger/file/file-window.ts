import { closeSync, readSync } from 'node:fs'
import { cannotRead } from './fault.ts'
import { openRegular } from './regular.ts'

/** How much of a file is held. */
const HELD = 1_048_576

/** A file that is read from its beginning to its end, again and again, of which only a part is held. */
export class FileWindow {
  readonly size: number
  readonly #file: string
  readonly #memory: Buffer
  #descriptor: number | undefined
  #held: Buffer = Buffer.alloc(0)
  #from = 0

  /** Throws as Node does where it cannot be opened. */
  constructor(file: string) {
    this.#file = file
    const { descriptor, size } = openRegular(file)
    this.#descriptor = descriptor
    this.size = size
    this.#memory = Buffer.allocUnsafeSlow(Math.min(this.size, HELD))
  }

  /** What is held of the file from a place on: nothing at its end alone, and only until the next call. */
  from(place: number): Buffer {
    const at = place - this.#from
    if (at < 0 || at >= this.#held.length) this.#read(place)
    return this.#held.subarray(place - this.#from)
  }

  /** A copy of some bytes; shorter where the file ends before. */
  copy(place: number, length: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.size - place)))
    for (let at = 0; at < bytes.length; ) {
      const copied = this.from(place + at).copy(bytes, at)
      if (copied === 0) return bytes.subarray(0, at)
      at += copied
    }
    return bytes
  }

  /** Whether some bytes stand at a place. */
  holds(place: number, bytes: Buffer, start: number, end: number): boolean {
    for (let at = start; at < end; ) {
      const held = this.from(place + at - start)
      const length = Math.min(held.length, end - at)
      if (length === 0) return false
      // Mostly these are a few records: asking Node to compare them takes longer.
      for (let i = 0; i < length; i++) if (held[i] !== bytes[at + i]) return false
      at += length
    }
    return true
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #read(place: number): void {
    if (this.#descriptor === undefined) throw new TypeError(`${this.#file} is closed`)
    try {
      const got = readSync(this.#descriptor, this.#memory, 0, this.#memory.length, place)
      this.#held = this.#memory.subarray(0, got)
      this.#from = place
    } catch (cause) {
      throw cannotRead(this.#file, cause)
    }
  }
}
