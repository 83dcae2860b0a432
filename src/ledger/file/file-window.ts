import { closeSync, readSync } from 'node:fs'
import { cannotRead } from './fault.ts'
import { openRegular } from './regular.ts'

/** The bytes of a file held in memory. */
const HELD = 1_048_576

/** A file that is read repeatedly from start to end, with only a part held in memory. */
export class FileWindow {
  readonly size: number
  readonly #file: string
  readonly #memory: Buffer
  #descriptor: number | undefined
  #held: Buffer = Buffer.alloc(0)
  #from = 0

  /** Throws Node's error if it cannot be opened. */
  constructor(file: string) {
    this.#file = file
    const { descriptor, size } = openRegular(file)
    this.#descriptor = descriptor
    this.size = size
    this.#memory = Buffer.allocUnsafeSlow(Math.min(this.size, HELD))
  }

  /** The held bytes from an offset on; empty only at the end of the file, and valid until the next call. */
  from(place: number): Buffer {
    const at = place - this.#from
    if (at < 0 || at >= this.#held.length) this.#read(place)
    return this.#held.subarray(place - this.#from)
  }

  /** A copy of some bytes; shorter at the end of the file. */
  copy(place: number, length: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.size - place)))
    for (let at = 0; at < bytes.length; ) {
      const copied = this.from(place + at).copy(bytes, at)
      if (copied === 0) return bytes.subarray(0, at)
      at += copied
    }
    return bytes
  }

  /** Whether the given bytes are at an offset. */
  holds(place: number, bytes: Buffer, start: number, end: number): boolean {
    for (let at = start; at < end; ) {
      const held = this.from(place + at - start)
      const length = Math.min(held.length, end - at)
      if (length === 0) return false
      // Usually a few records: a Node comparison call would take longer.
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
