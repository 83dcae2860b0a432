import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import { WaybillError } from '../../error.ts'
import type { Held, Lock } from '../../ledger/index.ts'
import { type Choice, type Choosing, chooseBinaries } from './choose.ts'
import { ensureData } from './initialise.ts'
import { type Launched, launch } from './launch.ts'
import { ensurePassword, isPasswordLost, replacePassword } from './password.ts'
import { lastStart, type Place, readText, writeText } from './place.ts'
import { ensurePort } from './port.ts'
import { isThere, pause, worksIn } from './processes.ts'
import { refuseElsewhere, type ServerRecord, thisMachine } from './record.ts'
import { nameOf } from './run-as.ts'
import { findRunning, LOCKS, meetRunning, type Running } from './running.ts'

/** Options for starting a server; a running one is joined as it is. */
export interface EmbeddedOptions {
  /** The lock that lets one process at a time start a server; released when the process ends. */
  readonly lock: Lock
  /** The search path for programs. */
  readonly path: string
  /** The watchdog program, which stops the unused server; without it the server keeps running. */
  readonly watchdog?: URL | undefined
  /** How long the server may be unused, in milliseconds; default five minutes. */
  readonly idle?: number | undefined
  /** Restricts the origin of programs; bundled ones are tried first by default. */
  readonly binaries?: Choosing['binaries']
  /** Restricts the way to run them: as this user, as another user or in a namespace. */
  readonly way?: Choosing['way']
  /** Where to put a copy of the programs that the other user can read. */
  readonly copies?: Choosing['copies']
  /** How long to try, in milliseconds. */
  readonly patience?: number | undefined
  /** Called before each step. */
  readonly onStep?: ((step: Step) => void) | undefined
}

/** The steps of a start. */
export type Step =
  | 'choose'
  | 'password'
  | 'data'
  | 'record'
  | 'watchdog'
  | 'port'
  | 'server'
  | 'join'

/** The default limits, in milliseconds. */
const DEFAULTS = { patience: 60_000, idle: 300_000 }

/** How long a new watchdog may take to start, in milliseconds. */
const ARRIVAL = 15_000

/** Joins the running server of a place, or starts it. */
export async function startServer(place: Place, options: EmbeddedOptions): Promise<Running> {
  const deadline = performance.now() + (options.patience ?? DEFAULTS.patience)
  makeFolder(place)
  while (performance.now() < deadline) {
    const { found, session } = await meetRunning(place)
    if (found.state === 'none') await startAlone(place, options, deadline)
    else if (found.state === 'up' && session) {
      if (await join(place, found.server, session, options)) return found.server
    } else if (found.state === 'closed') throw found.problem
    else await pause(20)
  }
  throw new WaybillError('conflict', `the database in ${place.folder} neither starts nor stops`, {
    hint: `read ${place.log}; if no server runs, delete ${place.pidFile}`,
  })
}

function makeFolder({ folder }: Place): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WaybillError('input-output', `cannot create ${folder} (${code})`, {
      hint: 'the embedded database needs this folder: move away a file of that name, and check the permissions of the parent folder',
      cause,
    })
  }
}

/**
 * Keeps the server running while its address is handed over: a shared lock and a new session stop a watchdog from
 * ending it.
 */
async function join(
  place: Place,
  server: Running,
  session: Client,
  options: EmbeddedOptions,
): Promise<boolean> {
  try {
    options.onStep?.('join')
    await session.query(`select pg_advisory_lock_shared(${LOCKS.joining})`)
    ensureWatchdog(place, server, options)
    return true
  } catch {
    // The server was just stopped.
    return false
  } finally {
    await session.end().catch(() => {})
  }
}

/** Starts a new watchdog if the old one is gone. */
function ensureWatchdog(place: Place, server: Running, options: EmbeddedOptions): void {
  const arrival = Math.min(ARRIVAL, options.idle ?? DEFAULTS.idle)
  // After a clock change the start may lie in the future.
  const age = Math.abs(Date.now() - server.since)
  if (!server.isGuarded && age > arrival) spawnWatchdog(place, options, 0)
}

/** Takes the lock and starts the server if there still is none. */
async function startAlone(place: Place, options: EmbeddedOptions, deadline: number): Promise<void> {
  const held = await take(options.lock, deadline)
  try {
    if ((await findRunning(place)).state === 'none') await start(place, options, deadline)
  } finally {
    held.release()
  }
}

/** Waits for the lock beyond its own timeout, since a first start takes long. */
async function take(lock: Lock, deadline: number): Promise<Held> {
  for (;;) {
    const since = performance.now()
    try {
      return await lock.hold()
    } catch (cause) {
      const isBusy = cause instanceof WaybillError && cause.code === 'conflict'
      // An immediate refusal is permanent.
      const waited = performance.now() - since
      if (!isBusy || waited < 1_000 || performance.now() > deadline) throw cause
    }
  }
}

async function start(place: Place, options: EmbeddedOptions, deadline: number): Promise<void> {
  const step = options.onStep ?? (() => {})
  refuseElsewhere(place)
  step('choose')
  const choice = await chooseBinaries(place, { ...options, prepare: true })
  step('password')
  const isLost = isPasswordLost(place)
  if (!isLost) ensurePassword(place)
  step('data')
  await ensureData(place, choice, options.path)
  if (isLost) await replacePassword(place, choice, options.path)
  step('record')
  writeRecord(place, choice)
  removeForeignMark(place)
  step('watchdog')
  // Start the watchdog first, so that the server is never left without one.
  spawnWatchdog(place, options, lastStart(place))
  let launched: Launched
  do {
    step('port')
    const port = await ensurePort(place)
    step('server')
    launched = await launch(place, choice, { port, path: options.path, deadline })
    if (launched === 'again') await pause(50)
  } while (typeof launched === 'string' && performance.now() < deadline)
}

function writeRecord(place: Place, { binaries, version, as }: Choice): void {
  const started = { binaries: binaries.origin, version, as: nameOf(as), ...thisMachine() }
  writeText(place.record, `${JSON.stringify(started satisfies ServerRecord)}\n`)
}

/** Removes a lock file whose process id now belongs to another program, which would block PostgreSQL. */
function removeForeignMark(place: Place): void {
  const pid = Number(readText(place.pidFile)?.split('\n')[0])
  if (pid && isThere(pid) && worksIn(pid, place.data) === false)
    rmSync(place.pidFile, { force: true })
}

/** Starts a watchdog for a running server, or for one about to start. */
function spawnWatchdog(
  place: Place,
  { watchdog, idle, path }: EmbeddedOptions,
  before: number,
): void {
  if (!watchdog) return
  const log = openSync(place.log, 'a', 0o600)
  try {
    const times = [idle ?? DEFAULTS.idle, before].map(String)
    const args = [fileURLToPath(watchdog), dirname(place.folder), ...times]
    const child = spawn(process.execPath, args, {
      cwd: '/',
      detached: true,
      env: { PATH: path },
      stdio: ['ignore', log, log],
    })
    // On failure the server keeps running until the next join starts a watchdog.
    child.on('error', () => {})
    child.unref()
  } finally {
    closeSync(log)
  }
}
