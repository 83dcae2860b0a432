import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from './durable.ts'
import { cannotWrite } from './fault.ts'
import { type Segment, writeAll } from './wal.ts'

/** How many bytes of zeros are laid out at a time for the frames to come, and how many a segment has before that pays. */
const ROOM = Buffer.alloc(262_144)
const FEW = 16_384

/** Writes frames to the current write-ahead segment; each is on the disk when that resolves. */
export class WalWriter {
  readonly #wal: string
  #current: (Segment & { readonly descriptor: number }) | undefined
  #length = 0
  /** How long the file is: behind the frames there may be zeros. */
  #size = 0
  #isNamed = false
  #broken: unknown

  constructor(wal: string) {
    this.#wal = wal
  }

  /** How many bytes the current segment has. */
  get length(): number {
    return this.#length
  }

  /**
   * Writes a frame with one write and one fdatasync. After a failure the segment is as it was.
   *
   * Who asks alone is served faster if this thread waits for the disk itself; whoever comes meanwhile is in the next
   * group, which is then no longer alone.
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

  /** Takes the last frame back: nobody was promised anything for it. */
  undo(frame: Uint8Array): void {
    this.#length -= frame.length
    this.#cut(this.#length)
  }

  /** To write where the file has bytes already takes the disk half as long: nothing but them has to be forced to it. */
  #layOut(descriptor: number): void {
    const end = this.#size
    try {
      writeAll(descriptor, ROOM, end)
      this.#size += ROOM.length
    } catch {
      // There is no room to spare, and it is not asked for again.
      ftruncateSync(descriptor, end)
      this.#size = Number.POSITIVE_INFINITY
    }
  }

  #cut(length: number): void {
    this.#size = length
    try {
      if (this.#current) ftruncateSync(this.#current.descriptor, length)
    } catch (cause) {
      // Whatever came behind a torn frame would be lost with it.
      this.#broken = cause
    }
  }

  /** Ends the current segment, so that it can be read; gives nothing if there is none with frames. */
  rotate(): Segment | undefined {
    if (!this.#current || this.#length === 0) return undefined
    const { file, first, descriptor } = this.#current
    try {
      if (this.#size > this.#length) {
        ftruncateSync(descriptor, this.#length)
        // Before there is another segment: only the last one may end with something else than a frame.
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
