import { lstatSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { replaceDurably } from '../../ledger/index.ts'

/** Where the server of a folder of local state keeps what: all of it in one folder that only its owner enters. */
export interface Place {
  /** `.waybill/database`. */
  readonly folder: string
  /** PostgreSQL's own data; whoever the server runs as owns it. */
  readonly data: string
  readonly password: string
  readonly port: string
  /** Who started the server, and from which binaries. */
  readonly record: string
  /** What the server and its watchdog say. */
  readonly log: string
  /** The file that PostgreSQL locks its data with. */
  readonly pidFile: string
}

/** The place of the server that belongs to a folder of local state. */
export function placeOf(stateFolder: string): Place {
  const folder = join(stateFolder, 'database')
  const data = join(folder, 'data')
  return {
    folder,
    data,
    password: join(folder, 'password'),
    port: join(folder, 'port'),
    record: join(folder, 'server.json'),
    log: join(folder, 'log'),
    pidFile: join(data, 'postmaster.pid'),
  }
}

/** Writes a small file of a place in one step: it is there as it was, or as it is to be. */
export function writeText(file: string, text: string): void {
  try {
    replaceDurably(file, text)
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    throw new WaybillError(cause.code, cause.message, {
      hint: 'the database is as it was, and was not started: see that its folder can be written, and has room',
      cause,
    })
  }
}

/** The text of a file; nothing where there is none. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw cannotLook(file, cause)
  }
}

/** The major version that made the data; nothing where there is none yet. */
export function dataVersion({ data }: Place): string | undefined {
  return readText(join(data, 'PG_VERSION'))?.trim()
}

/** Who owns the data; nobody where there is none yet. */
export function dataOwner({ data }: Place): number | undefined {
  try {
    return lstatSync(data, { throwIfNoEntry: false })?.uid
  } catch (cause) {
    throw cannotLook(data, cause)
  }
}

/** The database is for its owner alone: another account is told so. */
function cannotLook(file: string, cause: unknown): WaybillError {
  const { code } = cause as NodeJS.ErrnoException
  return new WaybillError('input-output', `${file} cannot be read (${code})`, {
    hint: 'the embedded database is for its owner alone: run this as whoever made it',
    cause,
  })
}

/** What is said of when a server was last started where none ever was. */
export const NEVER = -1

/** When a server was last started, in milliseconds by the clock of then: it writes a file when it is about to work. */
export function lastStart({ data }: Place): number {
  return statSync(join(data, 'postmaster.opts'), { throwIfNoEntry: false })?.mtimeMs ?? NEVER
}
