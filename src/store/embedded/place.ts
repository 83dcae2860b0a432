import { lstatSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { replaceDurably } from '../../ledger/index.ts'

/** The files of an embedded server, in one folder that only its owner can enter. */
export interface Place {
  /** `.waybill/database`. */
  readonly folder: string
  /** PostgreSQL's data folder, owned by the server's user. */
  readonly data: string
  readonly password: string
  readonly port: string
  /** How the server was started, the user and the programs. */
  readonly record: string
  /** The log of the server and its watchdog. */
  readonly log: string
  /** PostgreSQL's lock file. */
  readonly pidFile: string
}

/** Returns the files of the server of a state folder. */
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

/** Writes a small file atomically. */
export function writeText(file: string, text: string): void {
  try {
    replaceDurably(file, text)
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    throw new WaybillError(cause.code, cause.message, {
      hint: 'the database was not started or changed: check the permissions and the free space of its folder',
      cause,
    })
  }
}

/** Reads a file; undefined when it does not exist. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw cannotLook(file, cause)
  }
}

/** The major version of the data; undefined when there is none. */
export function dataVersion({ data }: Place): string | undefined {
  return readText(join(data, 'PG_VERSION'))?.trim()
}

/** The owner of the data; undefined when there is none. */
export function dataOwner({ data }: Place): number | undefined {
  try {
    return lstatSync(data, { throwIfNoEntry: false })?.uid
  } catch (cause) {
    throw cannotLook(data, cause)
  }
}

/** The error for another user: only the owner may use the database. */
function cannotLook(file: string, cause: unknown): WaybillError {
  const { code } = cause as NodeJS.ErrnoException
  return new WaybillError('input-output', `${file} cannot be read (${code})`, {
    hint: 'only its owner can use the embedded database: run this as the user who created it',
    cause,
  })
}

/** The time of the last start if there was none. */
export const NEVER = -1

/** The last start of a server, in milliseconds since the epoch by its clock, from a file that it writes. */
export function lastStart({ data }: Place): number {
  return statSync(join(data, 'postmaster.opts'), { throwIfNoEntry: false })?.mtimeMs ?? NEVER
}
