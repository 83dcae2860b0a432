import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { MARK } from './watch.ts'

/** Identifies the processes of a run. */
export interface Run {
  /** The value of the mark variable in their environment. */
  readonly mark: string
  /** The process group and session: the pid of the first process. */
  readonly group: number
  /** The start of the first process, in clock ticks since boot; 0 when unknown. */
  readonly since: number
}

/** Identifies the run of a new process that leads its own session. */
export function runOf(mark: string, group: number): Run {
  return { mark, group, since: read(group)?.since ?? 0 }
}

/** How long to wait after SIGTERM, and after SIGKILL, in milliseconds. */
const ASKED = 2000
const MADE = 2000
/** Required consecutive empty results: a starting process may have neither parent nor mark yet. */
const LOOKS = 3
/** The first and the longest polling interval, in milliseconds. */
const SOON = 5
const LATE = 50

/** Ends all processes of a run by SIGTERM, then SIGKILL. */
export async function endProcesses(run: Run): Promise<void> {
  const older = new Set<number>()
  const asked = new Set<number>()
  const began = performance.now()
  let wait = SOON
  for (let none = 0; performance.now() - began < ASKED + MADE; ) {
    const living = livingOf(run, older)
    none = living.length === 0 ? none + 1 : 0
    if (none === LOOKS) return
    const signal = performance.now() - began < ASKED ? 'SIGTERM' : 'SIGKILL'
    // Give asked processes and their children time before signalling newly found ones.
    if (signal === 'SIGKILL' || !living.some(({ pid }) => asked.has(pid))) {
      send(signal, living, run)
      for (const { pid } of living) asked.add(pid)
    }
    wait = none > 0 ? SOON : Math.min(wait * 2, LATE)
    await new Promise(resolve => setTimeout(resolve, wait))
  }
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly since: number
}

function send(signal: NodeJS.Signals, living: readonly Process[], { group }: Run): void {
  // Signalling the group is atomic: it cannot grow meanwhile.
  const targets = living.some(one => one.group === group) ? [-group] : []
  targets.push(...living.filter(one => one.group !== group).map(one => one.pid))
  for (const target of targets) attempt(() => process.kill(target, signal))
}

/**
 * The living processes of a run: its group, its session, marked processes and their descendants. Collects older
 * processes in `older`, to skip them. Without /proc only the group is checked.
 */
function livingOf(run: Run, older: Set<number>): readonly Process[] {
  const { group } = run
  if (!existsSync('/proc/self/stat')) {
    const isThere = attempt(() => process.kill(-group, 0))
    return isThere ? [{ pid: group, parent: 0, group, session: group, since: 0 }] : []
  }
  const all = readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && pid !== process.pid && !older.has(pid))
    .flatMap(pid => read(pid) ?? [])
    .filter(one => one.since >= run.since || !older.add(one.pid))
  const found = new Set(all.filter(one => isOf(run, one)))
  // A set iterates over elements added during iteration.
  for (const { pid } of found) for (const one of all) if (one.parent === pid) found.add(one)
  return [...found]
}

function isOf({ mark, group }: Run, one: Process): boolean {
  if (one.group === group || one.session === group) return true
  const environment = attempt(() => readFileSync(`/proc/${one.pid}/environ`))
  return environment?.includes(`${MARK}=${mark}`) ?? false
}

/** Reads a process from /proc; undefined when it has ended or is a zombie. */
function read(pid: number): Process | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  // The program name in parentheses may contain anything.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (!fields || /^[ZX]/.test(fields[0] ?? '')) return undefined
  const [parent = 0, group = 0, session = 0] = fields.slice(1, 4).map(Number)
  return { pid, parent, group, session, since: Number(fields[19]) }
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    // It ended, or belongs to another user.
    return undefined
  }
}
