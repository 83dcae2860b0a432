import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../error.ts'
import { sha256 } from './digest.ts'
import { openStateFolder } from './state.ts'

/** Who holds a lock: a process, told from a later one with the same number by when it started. */
interface Holder {
  readonly host: string
  readonly pid: number
  readonly started: string
}

/** How long to wait for another process before giving up, in milliseconds. */
const PATIENCE = 10_000

/**
 * Runs a short piece of work while no other process does so for the same file; the work must not wait.
 *
 * A lock is a folder of numbered files that are only ever created, never changed: the highest says who holds it, or
 * that it is free. So two processes that find the holder dead cannot both take its place.
 */
export function withLock<T>(root: string, file: string, work: () => T): T {
  const folder = join(openStateFolder(root), 'locks', sha256(file).slice(0, 32))
  const number = lock(folder, file)
  try {
    return work()
  } finally {
    release(folder, number)
  }
}

function lock(folder: string, file: string): number {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return acquire(folder, file)
  } catch (cause) {
    if (cause instanceof WaybillError) throw cause
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
    throw new WaybillError('input-output', `${folder} cannot be written (${reason})`, {
      hint: `${file} is as it was: nothing is written without a lock`,
      cause,
    })
  }
}

/** What was done stays done, whether or not there is room on the disk to say that the lock is free. */
function release(folder: string, number: number): void {
  try {
    create(folder, number + 1, 'free')
  } catch {
    try {
      // Needs no room; what it makes of the text names no holder any more.
      writeFileSync(join(folder, String(number)), 'free', { flag: 'r+' })
    } catch {
      // The lock ends with this process.
    }
  }
}

function acquire(folder: string, file: string): number {
  const deadline = performance.now() + PATIENCE
  const own = JSON.stringify({ host: hostName(), pid: process.pid, started: startOf(process.pid) })
  for (;;) {
    const highest = highestIn(folder)
    const holder = highest === 0 ? undefined : holderOf(folder, highest)
    if (!holder && create(folder, highest + 1, own)) {
      // A number that was given up and taken away in between is no lock: the highest one always stays.
      if (highestIn(folder) === highest + 1) return tidy(folder, highest + 1)
      rmSync(join(folder, String(highest + 1)), { force: true })
    }
    if (performance.now() > deadline) throw busy(file, holder)
    if (holder) pause(1 + Math.random() * 4)
  }
}

function busy(file: string, holder: Holder | undefined): WaybillError {
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'other processes'
  return new WaybillError('conflict', `${file} is being written by ${who}`, {
    hint: 'try again when that has ended',
  })
}

function highestIn(folder: string): number {
  const numbers = readdirSync(folder).map(Number).filter(Number.isInteger)
  return numbers.reduce((highest, number) => Math.max(highest, number), 0)
}

/** The living process that holds a lock. */
function holderOf(folder: string, number: number): Holder | undefined {
  let text: string
  try {
    text = readFileSync(join(folder, String(number)), 'utf8')
  } catch {
    // It was taken away because there is a higher one.
    return undefined
  }
  if (text === 'free') return undefined
  try {
    const holder: Holder = JSON.parse(text)
    return isAlive(holder) ? holder : undefined
  } catch {
    return undefined
  }
}

function isAlive({ host, pid, started }: Holder): boolean {
  // Nothing can be told of another machine's processes.
  if (host !== hostName()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return startOf(pid) === started
}

/** When a process started, in the kernel's own words; empty where the system does not tell. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return ''
  }
}

/** Creates a numbered file with its text in one step; gives whether it did. */
function create(folder: string, number: number, text: string): boolean {
  const temporary = join(folder, `${process.pid}-${process.hrtime.bigint()}.new`)
  try {
    writeFileSync(temporary, text, { mode: 0o600 })
    linkSync(temporary, join(folder, String(number)))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Takes the lower numbers away; nobody looks at them any more. */
function tidy(folder: string, number: number): number {
  for (const name of readdirSync(folder))
    if (Number(name) < number) rmSync(join(folder, name), { force: true })
  return number
}

/** Loaded on use: most runs lock nothing. */
function hostName(): string {
  return process.getBuiltinModule('node:os').hostname()
}

/** Waits without giving way: a lock is held for milliseconds. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
