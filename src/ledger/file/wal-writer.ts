import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from './durable.ts'
import { cannotWrite } from './fault.ts'
import { type Segment, writeAll } from './wal.ts'

/** Writes frames to the current write-ahead segment; each is on the disk when that resolves. */
export class WalWriter {
  readonly #wal: string
  #current: (Segment & { readonly descriptor: number }) | undefined
  #length = 0
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

  #cut(length: number): void {
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
    const { file, first } = this.#current
    this.close()
    return { file, first }
  }

  close(): void {
    if (this.#current) closeSync(this.#current.descriptor)
    this.#current = undefined
    this.#length = 0
    this.#isNamed = false
  }
}

function dataSync(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(descriptor, error => (error ? reject(error) : resolve()))
  })
}
