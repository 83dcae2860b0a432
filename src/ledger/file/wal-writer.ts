import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from './durable.ts'
import { cannotWrite } from './fault.ts'
import { type Segment, writeAll } from './wal.ts'

/** The zero bytes to preallocate at a time, and the segment size from which that pays off. */
const ROOM = Buffer.alloc(262_144)
const FEW = 16_384

/** Writes frames to the current write-ahead segment; each is on disk when its promise resolves. */
export class WalWriter {
  readonly #wal: string
  #current: (Segment & { readonly descriptor: number }) | undefined
  #length = 0
  /** The file length: zeros may follow the frames. */
  #size = 0
  #isNamed = false
  #broken: unknown

  constructor(wal: string) {
    this.#wal = wal
  }

  /** The size of the current segment in bytes. */
  get length(): number {
    return this.#length
  }

  /**
   * Writes a frame with one write and one fdatasync. On failure the segment is unchanged.
   *
   * A lone caller is served faster if this thread waits for the disk itself; later callers join the next group, which
   * is then no longer alone.
   */
  async append(first: number, frame: Uint8Array, isAlone: boolean): Promise<void> {
    const file = this.#current?.file ?? join(this.#wal, String(first))
    if (this.#broken) throw cannotWrite(file, this.#broken)
    try {
      this.#current ??= { file, first, descriptor: openSync(file, 'wx', 0o600) }
      writeAll(this.#current.descriptor, frame, this.#length)
      this.#size = Math.max(this.#size, this.#length + frame.length)
      if (isAlone && this.#length >= FEW && this.#size === this.#length + frame.length)
        this.#layOut(this.#current.descriptor)
      if (isAlone) fdatasyncSync(this.#current.descriptor)
      else await dataSync(this.#current.descriptor)
      if (!this.#isNamed) syncFolder(this.#wal)
      this.#isNamed = true
      this.#length += frame.length
    } catch (cause) {
      this.#cut(this.#length)
      throw cannotWrite(file, cause)
    }
  }

  /** Removes the last frame, which was not promised to anyone. */
  undo(frame: Uint8Array): void {
    this.#length -= frame.length
    this.#cut(this.#length)
  }

  /** Overwriting existing bytes takes half as long: only data is synced. */
  #layOut(descriptor: number): void {
    const end = this.#size
    try {
      writeAll(descriptor, ROOM, end)
      this.#size += ROOM.length
    } catch {
      // There is no space to spare; do not try again.
      ftruncateSync(descriptor, end)
      this.#size = Number.POSITIVE_INFINITY
    }
  }

  #cut(length: number): void {
    this.#size = length
    try {
      if (this.#current) ftruncateSync(this.#current.descriptor, length)
    } catch (cause) {
      // Anything after a torn frame would be lost with it.
      this.#broken = cause
    }
  }

  /** Closes the current segment for reading; returns nothing if it has no frames. */
  rotate(): Segment | undefined {
    if (!this.#current || this.#length === 0) return undefined
    const { file, first, descriptor } = this.#current
    try {
      if (this.#size > this.#length) {
        ftruncateSync(descriptor, this.#length)
        // Truncate before a new segment exists: only the last one may end with something other than a frame.
        fdatasyncSync(descriptor)
      }
    } catch (cause) {
      throw cannotWrite(file, cause)
    }
    this.close()
    return { file, first }
  }

  close(): void {
    if (this.#current) closeSync(this.#current.descriptor)
    this.#current = undefined
    this.#length = 0
    this.#size = 0
    this.#isNamed = false
  }
}

function dataSync(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(descriptor, error => (error ? reject(error) : resolve()))
  })
}
