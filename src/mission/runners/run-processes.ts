import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { MARK } from './watch.ts'

/** What the processes of a run are known by. */
export interface Run {
  /** The value of its variable in the environment of each. */
  readonly mark: string
  /** Its group and session: the number of its first process. */
  readonly group: number
  /** When that one began, in ticks since the machine did; 0 where the system does not tell. */
  readonly since: number
}

/** Names the run of a process that has just been started, as leader of a session of its own. */
export function runOf(mark: string, group: number): Run {
  return { mark, group, since: read(group)?.since ?? 0 }
}

/** How long processes are asked to end, and then made to, in milliseconds. */
const ASKED = 2000
const MADE = 2000
/** How often in a row nobody may be found: who is just being started can be without parent, and show no mark yet. */
const LOOKS = 3
/** Milliseconds from one look to the next: at first, and at most. */
const SOON = 5
const LATE = 50

/** Ends all processes of a run: they are asked to, then made to. What answers neither belongs to somebody else. */
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
    // Who was asked has a moment, and what it starts for that; when it is gone there may be others.
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
  // A group is reached at once, as it is: it cannot grow meanwhile.
  const targets = living.some(one => one.group === group) ? [-group] : []
  targets.push(...living.filter(one => one.group !== group).map(one => one.pid))
  for (const target of targets) attempt(() => process.kill(target, signal))
}

/**
 * The processes of a run that live: its group, its session, whatever carries its mark, and what those have started.
 *
 * What is `older` is nothing of ours, and is read once. Where the system does not list processes there is the group alone.
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
  // A set goes on to those that are added on the way.
  for (const { pid } of found) for (const one of all) if (one.parent === pid) found.add(one)
  return [...found]
}

function isOf({ mark, group }: Run, one: Process): boolean {
  if (one.group === group || one.session === group) return true
  const environment = attempt(() => readFileSync(`/proc/${one.pid}/environ`))
  return environment?.includes(`${MARK}=${mark}`) ?? false
}

/** What the system says of a process; `undefined` for one that has ended, though nobody may have asked how. */
function read(pid: number): Process | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  // The name of its program stands in brackets, and may hold anything.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (!fields || /^[ZX]/.test(fields[0] ?? '')) return undefined
  const [parent = 0, group = 0, session = 0] = fields.slice(1, 4).map(Number)
  return { pid, parent, group, session, since: Number(fields[19]) }
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    // It has ended, or is somebody else's.
    return undefined
  }
}
