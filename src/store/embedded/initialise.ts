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

/** How the folder of data begins that is not ready yet. */
const FRESH = '.new-'

/**
 * Makes the data, beside their place, and moves them there when they are complete and on the disk.
 *
 * Whoever is ended in between leaves a folder that the next one takes away.
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
    // Once more: what a killed one had begun may have gone on writing for a while.
    removeFresh(place)
  }
}

/** All files are forced to the disk at the end, where PostgreSQL can by one call instead of one for each. */
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

/** What others began and did not end: only one makes data at a time. */
function removeFresh({ folder }: Place): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(FRESH))
      rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
}

/** Makes data those of whom the server runs as. The folder itself comes last: what was left half-done is done again. */
function giveTo({ way, uid }: RunAs, folder: string, path: string): void {
  if (way === 'self' || lstatSync(folder).uid === uid) return
  // The program of the system is not led astray by links, whoever changes the folder meanwhile.
  execFileSync('chown', ['-R', '-h', '-P', `${uid}:${uid}`, folder], { env: { PATH: path } })
}

function noData(place: Place): WaybillError {
  return new WaybillError('configuration', `${place.data} is there, but it holds no database`, {
    hint: 'move it away: the folder of this name holds the data of PostgreSQL',
  })
}

function notMade(output: string): WaybillError {
  return new WaybillError('input-output', `PostgreSQL makes no database: ${output.trim()}`, {
    hint: 'mend what it names, or set DATABASE_URL to a PostgreSQL server, 15 or newer',
  })
}
