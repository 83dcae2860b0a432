import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { userInfo } from 'node:os'
import { WaybillError } from '../../error.ts'

/** Whom a system without other names knows as the one to whom nothing belongs. */
export const NOBODY = 65534

/**
 * As whom the server runs. PostgreSQL refuses the administrator: his servers run as another user, who owns the data, or
 * in a namespace where he is not the administrator; there as well where a user has no name.
 */
export interface RunAs {
  readonly way: 'self' | 'user' | 'namespace'
  /** Who has to own the data. */
  readonly uid: number
}

/** The ways that there may be, in the order in which they are tried; `owner` is the user whose the data are. */
export function waysToRun(owner?: number): readonly RunAs[] {
  const uid = process.getuid?.() ?? 0
  if (uid !== 0) return waysOfOthers(uid)
  // A folder is handed to another user as an open descriptor, since those above it may be closed to him.
  const user = existsSync('/proc/self/fd') ? [{ way: 'user', uid: owner || NOBODY } as const] : []
  return [...user, { way: 'namespace', uid: 0 }]
}

/** PostgreSQL makes no data for a user without a name, as containers have them: in a namespace he has that of nobody. */
function waysOfOthers(uid: number): readonly RunAs[] {
  const self: RunAs = { way: 'self', uid }
  try {
    userInfo()
    return [self]
  } catch {
    return [{ way: 'namespace', uid }, self]
  }
}

/** As whom a server runs, in words. */
export function nameOf({ way, uid }: RunAs): string {
  if (way === 'namespace') return `${uid === 0 ? 'root' : 'this user'} in a namespace of its own`
  if (way === 'self') return 'this user'
  return uid === NOBODY ? 'nobody' : `user ${uid}`
}

/** A program of PostgreSQL that is to be run. */
export interface Start {
  readonly program: string
  /** The folder that it works on, and its arguments from the path that it knows that folder by. */
  readonly folder: string
  readonly args: (folder: string) => readonly string[]
  /** Where its output goes: both streams. */
  readonly output: 'pipe' | number
  /** What it reads from standard input; nothing unless it is given. */
  readonly input?: string
  /** Where to look for programs. */
  readonly path: string
}

/** How the folder is called that was handed over as the first descriptor after the three of every process. */
const HANDED = '/proc/self/fd/3'

/** Runs a program of PostgreSQL on a folder, apart from this process and its terminal. */
export function spawnAs({ way, uid }: RunAs, start: Start): ChildProcess {
  const { program, output, path, folder, input } = start
  const stdio: StdioOptions = [input === undefined ? 'ignore' : 'pipe', output, output]
  // Nothing of this program's environment is theirs, keys and tokens above all.
  const options = { cwd: '/', detached: true, env: { PATH: path, LC_ALL: 'C', TZ: 'UTC' } }
  if (way === 'self') return spawn(program, start.args(folder), { ...options, stdio })
  if (way === 'namespace') {
    const args = [`--map-user=${NOBODY}`, `--map-group=${NOBODY}`, program, ...start.args(folder)]
    return spawn('unshare', ['--user', ...args], { ...options, stdio })
  }
  const descriptor = openSync(folder, 'r')
  try {
    const identity = { uid, gid: uid, stdio: [...stdio, descriptor] }
    return spawn(program, start.args(HANDED), { ...options, ...identity })
  } finally {
    closeSync(descriptor)
  }
}

/** How a program ended. */
export interface Ended {
  readonly status: number | null
  /** Everything that it said. */
  readonly output: string
  /** Why it could not be started at all, such as EACCES. */
  readonly failure?: string
}

/** Runs a program to its end. */
export function runAs(as: RunAs, start: Omit<Start, 'output'>): Promise<Ended> {
  return new Promise(resolve => {
    let child: ChildProcess
    try {
      child = spawnAs(as, { ...start, output: 'pipe' })
    } catch (error) {
      // Most failures come as an event; some, such as not being allowed to become the user, at once.
      resolve({ status: null, output: '', failure: codeOf(error) })
      return
    }
    // A program that ends before it has read all says why by its output.
    child.stdin?.on('error', () => {})
    child.stdin?.end(start.input)
    const chunks: Buffer[] = []
    child.stdout?.on('data', chunk => chunks.push(chunk))
    child.stderr?.on('data', chunk => chunks.push(chunk))
    const end = (status: number | null, failure?: string) =>
      resolve({ status, output: Buffer.concat(chunks).toString(), ...(failure && { failure }) })
    child.on('error', error => end(null, codeOf(error)))
    child.on('close', status => end(status))
  })
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}

/** What to say where none of the ways is open. */
export function cannotRun(reasons: readonly string[]): WaybillError {
  return new WaybillError('configuration', `PostgreSQL cannot be run here: ${reasons.join('; ')}`, {
    hint: 'set DATABASE_URL to a PostgreSQL server, 15 or newer, or run Waybill as another user',
  })
}
