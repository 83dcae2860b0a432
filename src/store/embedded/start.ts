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

/** How a server is started; who joins one that runs takes it as it is. */
export interface EmbeddedOptions {
  /** Lets one at a time start the server of a folder; it ends with the process that holds it. */
  readonly lock: Lock
  /** Where to look for programs. */
  readonly path: string
  /** The program that stops the server when nobody uses it; nobody does without it. */
  readonly watchdog?: URL | undefined
  /** After which time without a connection it is stopped, in milliseconds; five minutes unless said otherwise. */
  readonly idle?: number | undefined
  /** Programs of one origin alone; the bundled ones are tried first otherwise. */
  readonly binaries?: Choosing['binaries']
  /** One way to run them alone: as this user, as another one, or in a namespace. */
  readonly way?: Choosing['way']
  /** Where a copy of the programs may be put that the other user can read. */
  readonly copies?: Choosing['copies']
  /** How long to try, in milliseconds. */
  readonly patience?: number | undefined
  /** Told of each step before it is taken. */
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

/** How long to try, and after what time without use a server is stopped, in milliseconds. */
const DEFAULTS = { patience: 60_000, idle: 300_000 }

/** How long a watchdog that was just started may take to come; it is not needed before the server could be idle. */
const ARRIVAL = 15_000

/** Joins the server of a place, or starts it where it does not run. */
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
  throw new WaybillError('conflict', `the database in ${place.folder} neither starts nor ends`, {
    hint: `read ${place.log}; if no server runs, delete ${place.pidFile}`,
  })
}

function makeFolder({ folder }: Place): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WaybillError('input-output', `${folder} cannot be made (${code})`, {
      hint: 'the embedded database stands there: move away what else has that name, and see that the folder above can be written',
      cause,
    })
  }
}

/**
 * Makes sure that the server stays while its address is handed over: a watchdog that is about to stop it lets nobody
 * join, and one that comes later sees that somebody was there.
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
    // It was stopped in this moment.
    return false
  } finally {
    await session.end().catch(() => {})
  }
}

/** Starts another watchdog where the one that came with the server is gone. */
function ensureWatchdog(place: Place, server: Running, options: EmbeddedOptions): void {
  const arrival = Math.min(ARRIVAL, options.idle ?? DEFAULTS.idle)
  // Where the clock was set back meanwhile, it was started in what is now the future.
  const age = Math.abs(Date.now() - server.since)
  if (!server.isGuarded && age > arrival) spawnWatchdog(place, options, 0)
}

/** Starts the server where, now that nobody else can, there still is none. */
async function startAlone(place: Place, options: EmbeddedOptions, deadline: number): Promise<void> {
  const held = await take(options.lock, deadline)
  try {
    if ((await findRunning(place)).state === 'none') await start(place, options, deadline)
  } finally {
    held.release()
  }
}

/** Whoever waits behind a first start waits longer than behind others. */
async function take(lock: Lock, deadline: number): Promise<Held> {
  for (;;) {
    const since = performance.now()
    try {
      return await lock.hold()
    } catch (cause) {
      const isBusy = cause instanceof WaybillError && cause.code === 'conflict'
      // One that is refused at once will never be had.
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
  // Before the server, so that none is ever left without one.
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

/** A mark with the number of a process that is by now another program's would keep PostgreSQL from starting. */
function removeForeignMark(place: Place): void {
  const pid = Number(readText(place.pidFile)?.split('\n')[0])
  if (pid && isThere(pid) && worksIn(pid, place.data) === false)
    rmSync(place.pidFile, { force: true })
}

/** Starts a watchdog for a server that runs, or for one that is started after another was. */
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
    // Without it the server runs on until the next who joins starts one.
    child.on('error', () => {})
    child.unref()
  } finally {
    closeSync(log)
  }
}
