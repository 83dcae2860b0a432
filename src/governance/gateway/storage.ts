import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Checkpoint,
  type FileLogOptions,
  type FileReaderOptions,
  hasSeal,
  isSealed,
  type LastClock,
  type Log,
  type LogReader,
  type NoteVerifier,
  openFileLog,
  openFileLogReader,
  parseCheckpoint,
  parseNote,
  promisedUntil,
  readSeal,
} from '../../ledger/index.ts'
import {
  cannotRead,
  holdLock,
  lookAt,
  openStateFolder,
  readOwnFile,
  stateFolder,
} from '../../workspace/index.ts'
import { MOST_BYTES } from '../audit/checkpoint.ts'
import { keysOf } from '../entries/entry.ts'

/** Options for opening a log for writing, in any storage. */
export type LogWriting = Omit<FileLogOptions, 'lock'> & {
  /** The keys that may have signed a guard, revoked ones included. */
  readonly guardVerifier: readonly NoteVerifier[]
}

/** What is known of a log before it is opened; not verified. */
export interface LogHead {
  /** Its published checkpoint, if any. */
  readonly note: string | undefined
  /** The clocks at its last append. */
  readonly clock: LastClock | undefined
  /** How many entries its published checkpoint covers, or else how many it holds. */
  readonly size: number
  /** Whether it has at least `size` entries, published or promised. */
  has(size: number): boolean
}

/** The storage of an installation's log. */
export interface LogStorage {
  /** The value of `ledger:` in waybill.yaml. */
  readonly kind: 'file' | 'postgres'
  /** The hint for a log that is gone although a guard holds its checkpoint. */
  readonly restore: string
  /**
   * Returns the head of the log; undefined if none was ever begun.
   *
   * @throws {WaybillError} when the log of this installation is kept elsewhere.
   */
  head(): Promise<LogHead | undefined>
  /** Whether a log was begun here and not moved away; creates nothing. */
  isBegun(): Promise<boolean>
  openForWriting(options: LogWriting): Promise<Log>
  openForReading(options: FileReaderOptions): Promise<LogReader>
}

const FOLDER = 'ledger'

/** Returns the folder of a repository's log in files. */
export function ledgerFolder(root: string): string {
  return join(stateFolder(root), FOLDER)
}

/** Returns the storage in files of the repository; one process at a time writes it. */
export function fileStorage(root: string): LogStorage {
  return {
    kind: 'file',
    restore: 'restore the newest copy of the whole folder .waybill/ledger',
    async head() {
      const folder = ledgerFolder(root)
      if (!isFilled(folder)) return undefined
      if (readSeal(folder)) throw isSealed(folder)
      const reader = openFileLogReader(folder, { origin: '', checkpointVerifier: [], keysOf })
      return headIn(folder, await reader.lastClock())
    },
    isBegun: async () => hasOpenFiles(root),
    async openForWriting({ guardVerifier: _, ...options }) {
      const folder = join(openStateFolder(root), FOLDER)
      return openFileLog(folder, { ...options, lock: lockOf(root) })
    },
    openForReading: async options => openFileLogReader(ledgerFolder(root), options),
  }
}

function headIn(folder: string, clock: LastClock | undefined): LogHead {
  const published = () => textIfThere(join(folder, 'checkpoint'))
  const note = published()
  const size = note === undefined ? 0 : (checkpointOf(note)?.size ?? 0)
  return {
    ...{ note, clock, size },
    // Promised entries stay in the write-ahead log until published; a changed note shows a concurrent append.
    has: wanted => wanted <= size || promisedUntil(folder, size) >= wanted || published() !== note,
  }
}

/** Parses a note as a checkpoint, without verifying it. */
export function checkpointOf(text: string): Checkpoint | undefined {
  const note = parseNote(text)
  const checkpoint = 'fault' in note ? note : parseCheckpoint(note.text)
  return 'fault' in checkpoint ? undefined : checkpoint
}

/** Returns the lock that lets one process at a time write the log. */
export function lockOf(root: string): FileLogOptions['lock'] {
  return { hold: () => holdLock(root, join(openStateFolder(root), FOLDER)) }
}

/** Whether there is an unsealed log in files. */
export function hasOpenFiles(root: string): boolean {
  const folder = ledgerFolder(root)
  return isFilled(folder) && readSeal(folder) === undefined
}

/** Whether the log in files was moved to other storage and is sealed against appends. */
export function isMovedAway(root: string): boolean {
  return hasSeal(ledgerFolder(root))
}

function isFilled(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // A dangling link, as to an unmounted disk, is not an absent log.
    if (code === 'ENOENT' && !lookAt(folder)) return false
    throw cannotRead(folder, cause)
  }
}

/** Returns the text of a file; empty if unreadable, undefined if absent. */
export function textIfThere(file: string): string | undefined {
  try {
    return readOwnFile(file, MOST_BYTES)?.toString()
  } catch {
    return ''
  }
}
