import type { ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import type { Choice } from './choose.ts'
import type { Place } from './place.ts'
import { pause } from './processes.ts'
import { spawnAs } from './run-as.ts'
import { findRunning, type Running } from './running.ts'
import { settingsOf } from './settings.ts'
import { signalServer } from './stop.ts'

/** The result of a start; `again` while remains of a killed server are still ending. */
export type Launched = Running | 'port-taken' | 'again'

/** The polling interval of a start, in milliseconds. */
const GLANCE = 10

/** Starts the server as an independent process and waits until it answers. */
export async function launch(
  place: Place,
  choice: Choice,
  start: { readonly port: number; readonly path: string; readonly deadline: number },
): Promise<Launched> {
  const log = openLog(place)
  try {
    const from = fstatSync(log).size
    const child = spawnAs(choice.as, {
      program: join(choice.binaries.bin, 'postgres'),
      folder: place.data,
      args: folder => ['-D', folder, ...settingsOf(choice.version, start.port)],
      output: log,
      path: start.path,
    })
    child.unref()
    const hasEnded = endOf(child)
    while (performance.now() < start.deadline) {
      const failure = hasEnded()
      if (failure !== undefined) return whyEnded(place, failure, from)
      const found = await findRunning(place)
      if (found.state === 'up') return found.server
      if (found.state === 'closed') throw stopped(place, found.problem)
      await pause(GLANCE)
    }
    throw notStarted(place, 'it does not answer')
  } finally {
    closeSync(log)
  }
}

/** Stops a server that accepts no connections. */
function stopped(place: Place, problem: WaybillError): WaybillError {
  signalServer(place, 'SIGINT')
  return problem
}

function endOf(child: ChildProcess): () => string | undefined {
  let failure: string | undefined
  child.on('error', error => {
    failure = error.message
  })
  child.on('exit', (status, signal) => {
    failure ??= `it ended with ${signal ?? `exit code ${status}`}`
  })
  return () => failure
}

/** PostgreSQL errors for which waiting or another port helps. */
const TAKEN = /could not bind|could not create any TCP\/IP sockets/
const LINGERING = /is still in use|lock file "postmaster\.pid" already exists/

function whyEnded(place: Place, failure: string, from: number): Launched {
  const output = readFrom(place.log, from)
  if (TAKEN.test(output)) return 'port-taken'
  if (LINGERING.test(output)) return 'again'
  const last = output.split('\n').filter(line => /(?:FATAL|PANIC|ERROR):/.test(line))
  throw notStarted(place, last.at(-1)?.replace(/^.*?(?=FATAL|PANIC|ERROR)/, '') ?? failure)
}

function notStarted(place: Place, why: string): WaybillError {
  // After a crash of the machine, a leftover lock file blocks every start.
  const isBroken = /lock file "postmaster\.pid"/.test(why)
  const hint = isBroken
    ? `if no server runs, delete ${place.pidFile}`
    : `read ${place.log}, or set DATABASE_URL to a PostgreSQL server, 15 or newer`
  return new WaybillError(
    'input-output',
    `the database in ${place.folder} does not start: ${why}`,
    { hint },
  )
}

/** Rotate the log at a start above this size, in bytes; one old log is kept. */
const LONGEST = 4 * 1024 ** 2

function openLog({ log }: Place): number {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size > LONGEST) renameSync(log, `${log}.old`)
  return openSync(log, 'a', 0o600)
}

function readFrom(file: string, from: number): string {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, Math.min(fstatSync(descriptor).size - from, 2 ** 16)))
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, from))
  } finally {
    closeSync(descriptor)
  }
}
