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

/** What it takes to open a log for writing, wherever it is kept. */
export type LogWriting = Omit<FileLogOptions, 'lock'> & {
  /** The keys that a guard may be signed with: those that were revoked since as well. */
  readonly guardVerifier: readonly NoteVerifier[]
}

/** What is known of a log before it is opened; nobody has verified it. */
export interface LogHead {
  /** Its published checkpoint; absent where there is none yet. */
  readonly note: string | undefined
  /** What the clocks said when it was last appended to. */
  readonly clock: LastClock | undefined
  /** How many entries its published checkpoint covers, or else all that it holds. */
  readonly size: number
  /** Whether it has so many entries, under its checkpoint or soon to be. */
  has(size: number): boolean
}

/** Where the one log of an installation is kept. */
export interface LogStorage {
  /** As `ledger:` in waybill.yaml names it. */
  readonly kind: 'file' | 'postgres'
  /** What to do where the log is gone, though its last checkpoint is known. */
  readonly restore: string
  /**
   * What is known of the log; nothing where none was ever begun there.
   *
   * @throws WaybillError where the log of this installation is kept elsewhere.
   */
  head(): Promise<LogHead | undefined>
  /** Whether a log was begun there that nobody has moved away, as far as can be told without making anything. */
  isBegun(): Promise<boolean>
  openForWriting(options: LogWriting): Promise<Log>
  openForReading(options: FileReaderOptions): Promise<LogReader>
}

const FOLDER = 'ledger'

/** Where the log of a repository stands if it is kept in files. */
export function ledgerFolder(root: string): string {
  return join(stateFolder(root), FOLDER)
}

/** Keeps the log in files of the repository; one process at a time writes it. */
export function fileStorage(root: string): LogStorage {
  return {
    kind: 'file',
    restore: 'put the newest copy of the whole folder .waybill/ledger back',
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
    // Until a checkpoint covers them, promised entries stand in the write-ahead log; whoever writes meanwhile publishes.
    has: wanted => wanted <= size || promisedUntil(folder, size) >= wanted || published() !== note,
  }
}

/** What a note says as a checkpoint; nobody has verified it. */
export function checkpointOf(text: string): Checkpoint | undefined {
  const note = parseNote(text)
  const checkpoint = 'fault' in note ? note : parseCheckpoint(note.text)
  return 'fault' in checkpoint ? undefined : checkpoint
}

/** What lets one process write the files of a log at a time. */
export function lockOf(root: string): FileLogOptions['lock'] {
  return { hold: () => holdLock(root, join(openStateFolder(root), FOLDER)) }
}

/** Whether there is a log in files that is not sealed. */
export function hasOpenFiles(root: string): boolean {
  const folder = ledgerFolder(root)
  return isFilled(folder) && readSeal(folder) === undefined
}

/** Whether a log that was kept in files was moved elsewhere, so that nothing more can be appended to them. */
export function isMovedAway(root: string): boolean {
  return hasSeal(ledgerFolder(root))
}

function isFilled(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // What was moved to a disk that is not there now was there: a link that leads nowhere is no absent log.
    if (code === 'ENOENT' && !lookAt(folder)) return false
    throw cannotRead(folder, cause)
  }
}

/** The text of a file; empty where it cannot be read, undefined where there is none. */
export function textIfThere(file: string): string | undefined {
  try {
    return readOwnFile(file, MOST_BYTES)?.toString()
  } catch {
    return ''
  }
}
