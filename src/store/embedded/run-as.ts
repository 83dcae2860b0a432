import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { userInfo } from 'node:os'
import { WaybillError } from '../../error.ts'

/** The conventional uid of the unprivileged user `nobody`. */
export const NOBODY = 65534

/**
 * The identity of the server. PostgreSQL refuses to run as root, so root runs it as another user who owns the data, or
 * in a user namespace. A user without a name needs a namespace too.
 */
export interface RunAs {
  readonly way: 'self' | 'user' | 'namespace'
  /** The required owner of the data. */
  readonly uid: number
}

/** The possible ways, in order of preference; `owner` is the owner of existing data. */
export function waysToRun(owner?: number): readonly RunAs[] {
  const uid = process.getuid?.() ?? 0
  if (uid !== 0) return waysOfOthers(uid)
  // The folder is passed as an open descriptor, since its parents may be closed to the other user.
  const user = existsSync('/proc/self/fd') ? [{ way: 'user', uid: owner || NOBODY } as const] : []
  return [...user, { way: 'namespace', uid: 0 }]
}

/** initdb refuses a user without a name, common in containers; a namespace maps it to `nobody`. */
function waysOfOthers(uid: number): readonly RunAs[] {
  const self: RunAs = { way: 'self', uid }
  try {
    userInfo()
    return [self]
  } catch {
    return [{ way: 'namespace', uid }, self]
  }
}

/** Describes the identity of a server. */
export function nameOf({ way, uid }: RunAs): string {
  if (way === 'namespace') return `${uid === 0 ? 'root' : 'this user'} in a namespace of its own`
  if (way === 'self') return 'this user'
  return uid === NOBODY ? 'nobody' : `user ${uid}`
}

/** A PostgreSQL program to run. */
export interface Start {
  readonly program: string
  /** The folder that it works on, and its arguments from the path of the folder. */
  readonly folder: string
  readonly args: (folder: string) => readonly string[]
  /** Where both output streams go. */
  readonly output: 'pipe' | number
  /** Its standard input; empty by default. */
  readonly input?: string
  /** The search path for programs. */
  readonly path: string
}

/** The path of the folder that is passed as the fourth descriptor. */
const HANDED = '/proc/self/fd/3'

/** Starts a PostgreSQL program on a folder, detached from this process and its terminal. */
export function spawnAs({ way, uid }: RunAs, start: Start): ChildProcess {
  const { program, output, path, folder, input } = start
  const stdio: StdioOptions = [input === undefined ? 'ignore' : 'pipe', output, output]
  // Do not pass our environment, which may contain keys and tokens.
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
  /** Both output streams. */
  readonly output: string
  /** Why it could not be started, for example EACCES. */
  readonly failure?: string
}

/** Runs a program to its end. */
export function runAs(as: RunAs, start: Omit<Start, 'output'>): Promise<Ended> {
  return new Promise(resolve => {
    let child: ChildProcess
    try {
      child = spawnAs(as, { ...start, output: 'pipe' })
    } catch (error) {
      // Most failures are events, but some, such as a refused uid, are thrown.
      resolve({ status: null, output: '', failure: codeOf(error) })
      return
    }
    // A program that exits before reading its input explains itself in its output.
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

/** The error when no way works. */
export function cannotRun(reasons: readonly string[]): WaybillError {
  return new WaybillError('configuration', `PostgreSQL cannot be run here: ${reasons.join('; ')}`, {
    hint: 'set DATABASE_URL to a PostgreSQL server, 15 or newer, or run Waybill as another user',
  })
}
