import { isDeepStrictEqual } from 'node:util'
import { type Checkpoint, openCheckpoint } from '../checkpoint.ts'
import type { LastClock, LogReader, SignedCheckpoint } from '../log.ts'
import type { Tile } from '../tile.ts'
import { ContentReader } from './content.ts'
import { factsOf, type Stretch } from './facts.ts'
import { cannotRead, isMissing, tampered } from './fault.ts'
import type { FrameEntry } from './frame.ts'
import { KeyIndex } from './key-index.ts'
import { DamagedRun } from './key-run.ts'
import type { FileReaderOptions } from './options.ts'
import { type Places, placesIn } from './paths.ts'
import { findPromised, type Promised, readPromised } from './promised.ts'
import { readRegular, SMALL_FILE } from './regular.ts'
import { readTile } from './tiles.ts'
import { readClock } from './tree.ts'
import { timeBefore, timeOf } from './unvouched.ts'

/**
 * Opens a log for reading; takes no lock, writes nothing, and by default sees only what a published checkpoint covers.
 */
export function openFileLogReader(folder: string, options: FileReaderOptions): LogReader {
  return new FileLogReader(placesIn(folder), options, false)
}

/** Reads the files of a log. */
export class FileLogReader implements LogReader {
  readonly origin: string
  readonly #places: Places
  readonly #options: FileReaderOptions
  readonly #contents: ContentReader
  readonly #index: KeyIndex
  readonly #isKept: boolean
  readonly #vouched = new Map<number, { readonly entry: FrameEntry; readonly at: number }>()
  #last: SignedCheckpoint | undefined

  /** Index files stay open between lookups if the caller closes the reader. */
  constructor(places: Places, options: FileReaderOptions, isKept: boolean) {
    this.#isKept = isKept
    this.origin = options.origin
    this.#places = places
    this.#options = options
    this.#contents = new ContentReader(places.folder)
    this.#index = new KeyIndex(places.keys)
  }

  async checkpoint(): Promise<SignedCheckpoint | undefined> {
    const last = this.#last
    const signed = await readCheckpoint(this.#places.checkpoint, this.#options, last)
    if ((signed?.checkpoint.size ?? 0) < (last?.checkpoint.size ?? 0))
      throw tampered(`${this.#places.checkpoint} shrank`)
    this.#last = signed
    return signed
  }

  async tile(tile: Tile): Promise<Uint8Array> {
    return readTile(this.#places.folder, tile)
  }

  async content(index: number): Promise<string | undefined> {
    if (!(await this.#covers(index))) {
      const promised = this.#promised()
      const entry = promised?.get(index)
      if (promised && entry) {
        this.#refuseUnvouched(promised, await this.size())
        return entry.content.toString()
      }
      // It may have been published meanwhile, and is then no longer pending.
      if (!this.#options.isPromisedRead || !(await this.#covers(index))) return undefined
    }
    return this.#contents.read(index)
  }

  #promised(): Promised | undefined {
    return this.#options.isPromisedRead ? readPromised(this.#places) : undefined
  }

  /** Anyone who can write the files can add promises. */
  #refuseUnvouched(promised: Promised, size: number): void {
    const { vouch } = this.#options
    const uncovered = [...promised].filter(([index]) => index >= size)
    if (!vouch || uncovered.length === 0) return
    let last = timeBefore(this.#places.folder, size, vouch)
    for (const [index, entry] of uncovered) {
      const known = this.#vouched.get(index)
      const at =
        known && isDeepStrictEqual(known.entry, entry)
          ? known.at
          : timeOf({ index, ...entry }, last, vouch)
      this.#vouched.set(index, { entry, at })
      last = at
    }
  }

  async #covers(index: number): Promise<boolean> {
    if (!Number.isSafeInteger(index) || index < 0) return false
    // A log never shrinks: read the checkpoint again only for entries that the last one does not cover.
    return index < (this.#last?.checkpoint.size ?? 0) || index < (await this.size())
  }

  async find(key: string): Promise<readonly number[]> {
    const promised = this.#promised()
    const tree = (await this.checkpoint())?.checkpoint
    try {
      const found = tree ? this.#find(key, tree) : []
      const size = tree?.size ?? 0
      if (promised) this.#refuseUnvouched(promised, size)
      return promised ? [...found, ...findPromised(promised, key, size)] : found
    } finally {
      if (!this.#isKept) this.#index.close()
    }
  }

  #find(key: string, tree: Checkpoint): number[] {
    const { size } = tree
    const scanned = this.#index.refresh(size).flatMap(gap => this.#scan(key, gap, tree))
    const found = this.#lookUp(key, tree).filter(index => index < size)
    return scanned.length === 0 ? found : [...found, ...scanned].sort((one, other) => one - other)
  }

  /** A reader cannot repair the index: it reads the contents for damaged parts. */
  #lookUp(key: string, tree: Checkpoint): number[] {
    try {
      return this.#index.find(key)
    } catch (error) {
      if (!(error instanceof DamagedRun)) throw error
      return this.#scan(key, { from: 0, to: tree.size }, tree)
    }
  }

  #scan(key: string, stretch: Stretch, tree: Checkpoint): number[] {
    const contents = { folder: this.#places.folder, tree, keysOf: this.#options.keysOf }
    const found: number[] = []
    for (const [index, { keys }] of factsOf(contents, stretch))
      if (keys.unique.includes(key) || keys.also.includes(key)) found.push(index)
    return found
  }

  async size(): Promise<number> {
    return (await this.checkpoint())?.checkpoint.size ?? 0
  }

  async lastClock(): Promise<LastClock | undefined> {
    return readClock(this.#places)
  }

  close(): void {
    this.#index.close()
  }
}

/** Reads a signed checkpoint of a log; does not verify one again that is identical to a known one. */
export async function readCheckpoint(
  file: string,
  options: Omit<FileReaderOptions, 'keysOf'>,
  known?: SignedCheckpoint,
): Promise<SignedCheckpoint | undefined> {
  let note: string
  try {
    note = readRegular(file, SMALL_FILE).toString()
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cannotRead(file, cause)
  }
  return openSigned(note, file, options, known)
}

/** Opens a stored signed checkpoint of a log; does not verify one again that is identical to a known one. */
export async function openSigned(
  note: string,
  where: string,
  { origin, checkpointVerifier, refused }: Omit<FileReaderOptions, 'keysOf'>,
  known?: SignedCheckpoint,
): Promise<SignedCheckpoint> {
  if (note === known?.note) return known
  const opened = await openCheckpoint(note, origin, [checkpointVerifier].flat())
  if ('fault' in opened) throw (await refused?.(note)) ?? tampered(`${where}: ${opened.fault}`)
  return { checkpoint: opened.checkpoint, note }
}
