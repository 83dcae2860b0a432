import { execFileSync } from 'node:child_process'
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import type { Choice } from './choose.ts'
import { ensurePassword } from './password.ts'
import { dataVersion, type Place } from './place.ts'
import { type RunAs, runAs } from './run-as.ts'
import { OWNER } from './session.ts'

/** The prefix of folders with unfinished data. */
const FRESH = '.new-'

/**
 * Initializes the data in a temporary folder and moves it into place when it is complete and synced. The next start
 * removes an abandoned folder.
 */
export async function ensureData(
  place: Place,
  { binaries, version, as }: Choice,
  path: string,
): Promise<void> {
  removeFresh(place)
  if (lstatSync(place.data, { throwIfNoEntry: false })) {
    if (dataVersion(place) === undefined) throw noData(place)
    giveTo(as, place.data, path)
    return
  }
  const fresh = join(place.folder, `${FRESH}${process.pid}`)
  const data = join(fresh, 'data')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(join(fresh, 'password'), ensurePassword(place), { mode: 0o600 })
    giveTo(as, fresh, path)
    const ended = await runAs(as, {
      program: join(binaries.bin, 'initdb'),
      folder: fresh,
      path,
      args: folder => [
        ...[`--pgdata=${folder}/data`, `--pwfile=${folder}/password`, `--username=${OWNER}`],
        ...['--auth=scram-sha-256', '--encoding=UTF8', '--no-locale', '--no-instructions'],
        ...syncing(version),
      ],
    })
    if (ended.status !== 0) throw notMade(ended.failure ?? ended.output)
    renameSync(data, place.data)
    sync(place.folder)
  } finally {
    // Again: a killed process may have kept writing for a while.
    removeFresh(place)
  }
}

/** Syncs all files at the end with one call where PostgreSQL can. */
function syncing(version: string): readonly string[] {
  return process.platform === 'linux' && Number(version.split('.')[0]) >= 17
    ? ['--sync-method=syncfs']
    : []
}

function sync(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Removes unfinished data of others: only one process initializes at a time. */
function removeFresh({ folder }: Place): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(FRESH))
      rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
}

/**
 * Changes the owner of the data to the server's user. The folder itself comes last, so that an interrupted change is
 * repeated.
 */
function giveTo({ way, uid }: RunAs, folder: string, path: string): void {
  if (way === 'self' || lstatSync(folder).uid === uid) return
  // chown -h -P does not follow links that are changed meanwhile.
  execFileSync('chown', ['-R', '-h', '-P', `${uid}:${uid}`, folder], { env: { PATH: path } })
}

function noData(place: Place): WaybillError {
  return new WaybillError('configuration', `${place.data} exists but contains no database`, {
    hint: 'move it away: PostgreSQL stores its data in this folder',
  })
}

function notMade(output: string): WaybillError {
  return new WaybillError(
    'input-output',
    `PostgreSQL cannot create the database: ${output.trim()}`,
    {
      hint: 'fix the cause, or set DATABASE_URL to a PostgreSQL server, 15 or newer',
    },
  )
}
