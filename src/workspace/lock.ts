import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../error.ts'
import { sha256 } from './digest.ts'
import { readOwnFile } from './read.ts'
import { openStateFolder } from './state.ts'
import { makeFolders, removeLeft } from './write.ts'

/** The process that holds a lock; the start time distinguishes it from a later one with the same pid. */
interface Holder {
  readonly host: string
  readonly pid: number
  readonly started: string
}

/** How long to wait for another process, in milliseconds. */
const PATIENCE = 10_000

/** Polling interval of all waiters together, and the longest of one waiter, in milliseconds. */
const POLL = { every: 2, most: 200 }

/** A lock that this process holds. */
export interface Held {
  /** Whether another process, or another part of this one, waits for it. */
  isWanted(): boolean
  release(): void
}

/**
 * Runs synchronous work while holding the lock of a file.
 *
 * A lock is a folder of numbered files that are created but never changed: the highest names the holder, or says that
 * the lock is free. So two processes that find the holder dead cannot both take the lock.
 */
export function withLock<T>(root: string, file: string, work: () => T): T {
  const folder = folderOf(root, file)
  const number = lock(folder, file)
  try {
    return work()
  } finally {
    release(folder, number)
  }
}

/**
 * Acquires the same lock for longer work, and waits for it asynchronously.
 *
 * A waiter leaves a mark, so the holder can see it and yield. The timeout restarts whenever the lock changes hands. A
 * lock held by a process on another machine is refused at once, since its process cannot be probed.
 */
export async function holdLock(root: string, file: string): Promise<Held> {
  const folder = folderOf(root, file)
  let mark: string | undefined
  try {
    makeFolders(folder, 0o700)
    let last = 0
    for (let since = performance.now(); ; ) {
      const got = attempt(folder)
      if (got.taken) return held(folder, got.number)
      if (got.holder && got.holder.host !== hostName()) throw elsewhere(file, got.holder)
      mark ??= leaveMark(folder)
      if (got.number !== last) since = performance.now()
      last = got.number
      if (performance.now() - since > PATIENCE) throw busy(file, got.holder)
      if (got.holder) await poll(folder)
    }
  } catch (cause) {
    throw cannotLock(folder, file, cause)
  } finally {
    if (mark) removeLeft(mark)
  }
}

function held(folder: string, number: number): Held {
  let isHeld = true
  return {
    isWanted: () => {
      try {
        return readdirSync(folder).some(name => name.endsWith(WAITING) && waits(folder, name))
      } catch {
        return false
      }
    },
    release: () => {
      if (isHeld) release(folder, number)
      isHeld = false
    },
  }
}

/** File extension of marks. */
const WAITING = '.waits'

function leaveMark(folder: string): string {
  const mark = join(folder, `${process.pid}-${process.hrtime.bigint()}${WAITING}`)
  writeFileSync(mark, ownName(), { mode: 0o600 })
  return mark
}

/** Whether the process of a mark is alive; removes the mark of a dead one. */
function waits(folder: string, name: string): boolean {
  const mark = join(folder, name)
  try {
    if (isAlive(JSON.parse(textOf(mark)))) return true
  } catch {
    // The mark is being written or was just removed.
    return false
  }
  rmSync(mark, { force: true })
  return false
}

/** Waits before the next poll; with more waiters, each polls less often. */
function poll(folder: string): Promise<void> {
  const crowd = readdirSync(folder).filter(name => name.endsWith(WAITING)).length
  const delay = 1 + Math.random() * Math.min(POLL.most, 2 * POLL.every * crowd)
  return new Promise(resolve => setTimeout(resolve, delay))
}

function elsewhere(file: string, { host, pid }: Holder): WaybillError {
  return new WaybillError(
    'conflict',
    `${file} is held by process ${pid} on another machine, ${host}`,
    {
      hint: 'only one machine may write it; if that process has ended, run waybill there once, or remove its lock',
    },
  )
}

function folderOf(root: string, file: string): string {
  return join(openStateFolder(root), 'locks', sha256(file).slice(0, 32))
}

function lock(folder: string, file: string): number {
  try {
    makeFolders(folder, 0o700)
    return acquire(folder, file)
  } catch (cause) {
    throw cannotLock(folder, file, cause)
  }
}

function cannotLock(folder: string, file: string, cause: unknown): WaybillError {
  if (cause instanceof WaybillError) return cause
  const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
  return new WaybillError('input-output', `${folder} cannot be written (${reason})`, {
    hint: `${file} is unchanged: nothing is written without a lock`,
    cause,
  })
}

/** Marks the lock as free; the work stays done even if the disk is full. */
function release(folder: string, number: number): void {
  try {
    create(folder, number + 1, 'free')
  } catch {
    try {
      // Overwriting in place needs no disk space; the text no longer names a holder.
      writeFileSync(join(folder, String(number)), 'free', { flag: 'r+' })
    } catch {
      // The lock ends with this process.
    }
  }
}

function acquire(folder: string, file: string): number {
  const deadline = performance.now() + PATIENCE
  for (;;) {
    const got = attempt(folder)
    if (got.taken) return got.number
    if (performance.now() > deadline) throw busy(file, got.holder)
    if (got.holder) pause(1 + Math.random() * 4)
  }
}

/** The result of one attempt: our number if taken, else the highest one and its holder. */
interface Attempt {
  readonly taken: boolean
  readonly number: number
  readonly holder?: Holder
}

function attempt(folder: string): Attempt {
  const highest = highestIn(folder)
  const holder = highest === 0 ? undefined : holderOf(folder, highest)
  if (holder) return { taken: false, number: highest, holder }
  if (!create(folder, highest + 1, ownName())) return { taken: false, number: highest }
  // If the number was released and removed in between, it is not a lock: the highest one always stays.
  if (highestIn(folder) === highest + 1) return { taken: true, number: tidy(folder, highest + 1) }
  rmSync(join(folder, String(highest + 1)), { force: true })
  return { taken: false, number: highest }
}

function ownName(): string {
  return JSON.stringify({ host: hostName(), pid: process.pid, started: startOf(process.pid) })
}

function busy(file: string, holder: Holder | undefined): WaybillError {
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'other processes'
  return new WaybillError('conflict', `${file} is being written by ${who}`, {
    hint: 'try again when it has finished',
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
    text = textOf(join(folder, String(number)))
  } catch {
    // It was removed because a higher number exists, or it is not a lock file.
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

/** Most bytes of a lock or mark file. */
const LONGEST_NAME = 4096

function textOf(file: string): string {
  return readOwnFile(file, LONGEST_NAME)?.toString() ?? ''
}

function isAlive({ host, pid, started }: Holder): boolean {
  // Processes of other machines cannot be probed.
  if (host !== hostName()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return startOf(pid) === started
}

/** When a process started, as the kernel reports it; empty if unavailable. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return ''
  }
}

/** Atomically creates a numbered file with its text; returns whether it did. */
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
    removeLeft(temporary)
  }
}

/** Removes the lower numbers, which are no longer read. */
function tidy(folder: string, number: number): number {
  for (const name of readdirSync(folder))
    if (Number(name) < number) rmSync(join(folder, name), { force: true })
  return number
}

/** Loaded on use: most runs lock nothing. */
function hostName(): string {
  return process.getBuiltinModule('node:os').hostname()
}

/** Blocks the thread: locks are held for milliseconds. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
