import { WaybillError } from '../../error.ts'
import type { Draft, DraftMaker, LastClock, Log, SignedCheckpoint, Taken } from '../log.ts'
import type { NoteSignature } from '../note.ts'
import type { Receipt } from '../receipt.ts'
import type { Tile } from '../tile.ts'
import { refuseBadDraft, refuseBadLine } from './draft.ts'
import type { FileLogOptions } from './options.ts'
import { type Places, placesIn } from './paths.ts'
import { FileLogReader } from './reader.ts'
import { Turns } from './turns.ts'
import { segmentsIn } from './wal.ts'

/**
 * Opens a log in a folder for writing. Takes the lock on the first append, or to publish what a killed process left,
 * and releases it when idle.
 */
export async function openFileLog(folder: string, options: FileLogOptions): Promise<Log> {
  return new FileLog(folder, options)
}

class FileLog implements Log {
  readonly origin: string
  readonly #reader: FileLogReader
  readonly #turns: Turns
  readonly #places: Places
  #settling: Promise<void> | undefined
  #end: Promise<void> | undefined

  constructor(folder: string, options: FileLogOptions) {
    this.origin = options.origin
    this.#places = placesIn(folder)
    this.#reader = new FileLogReader(this.#places, options, true)
    this.#turns = new Turns(this.#places, options)
  }

  async append(draft: Draft | DraftMaker): Promise<Receipt | Taken> {
    this.#refuseClosed()
    return await this.#turns.append(time => {
      const made = typeof draft === 'function' ? draft(time) : draft
      refuseBadDraft(made)
      return made
    })
  }

  async covered(): Promise<SignedCheckpoint> {
    const published = this.#turns.isResting ? await this.#reader.checkpoint() : undefined
    return published ?? (await this.#turns.covered())
  }

  async erase(index: number, tombstone: string): Promise<void> {
    this.#refuseClosed()
    refuseBadLine(tombstone)
    await this.#turns.run(session => session.erase(index, tombstone))
  }

  async cosign(
    text: string,
    signatures: readonly NoteSignature[],
  ): Promise<SignedCheckpoint | undefined> {
    this.#refuseClosed()
    let cosigned: SignedCheckpoint | undefined
    await this.#turns.run(async session => {
      cosigned = session.cosign(text, signatures)
    })
    return cosigned
  }

  time(now: number): number {
    return this.#turns.time(now)
  }

  lastClock(): Promise<LastClock | undefined> {
    return this.#reader.lastClock()
  }

  checkpoint(): Promise<SignedCheckpoint | undefined> {
    return this.#reader.checkpoint()
  }

  tile(tile: Tile): Promise<Uint8Array> {
    return this.#reader.tile(tile)
  }

  async content(index: number): Promise<string | undefined> {
    await this.#settled()
    return this.#turns.draft(index)?.content ?? (await this.#reader.content(index))
  }

  async find(key: string): Promise<readonly number[]> {
    await this.#settled()
    return this.#turns.find(key) ?? (await this.#reader.find(key))
  }

  size(): Promise<number> {
    return this.#reader.size()
  }

  async close(): Promise<void> {
    this.#end ??= this.#turns.end().finally(() => this.#reader.close())
    await this.#end
  }

  /** Before the first lookup, brings entries promised by others into the tree, once. */
  #settled(): Promise<void> {
    this.#settling ??= this.#settle().catch(error => {
      this.#settling = undefined
      throw error
    })
    return this.#settling
  }

  async #settle(): Promise<void> {
    if (this.#turns.isResting && segmentsIn(this.#places.wal).length > 0)
      await this.#turns.covered()
  }

  #refuseClosed(): void {
    if (this.#end !== undefined) throw new WaybillError('internal', 'the ledger was closed')
  }
}
