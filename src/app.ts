import { lstatSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { MOST_BYTES, parseInstant } from './document/index.ts'
import { WaybillError } from './error.ts'
import type { App } from './operations/operation.ts'
import { findRoot, lookThrough, openFiles, rootOfAll } from './workspace/index.ts'

/** What a run takes from its process. */
export interface Host {
  /** The current folder, absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean }
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

/** The process itself. Standard input is opened on first use. */
export const processHost: Host = {
  get cwd() {
    return process.cwd()
  },
  env: process.env,
  get stdin() {
    return process.stdin
  },
  clock: () => Date.now(),
}

/** What a surface may decide about the program that it runs. */
export interface AppOptions {
  /** ISO time to take for now. */
  readonly now?: string | undefined
  /** The repository's root; when absent that of the current folder, or of all paths together where one lies outside of it. */
  readonly root?: string | undefined
  /** Documents that say by their places which repository is meant. */
  readonly paths?: readonly string[]
  readonly progress?: (done: number, total: number, what?: string) => void
  readonly ask?: ((question: string) => Promise<string>) | undefined
  readonly tell?: (line: string) => void
}

/** Puts the program together: clock, root, standard input, the second core. */
export function openApp(options: AppOptions, version: string, host: Host = processHost): App {
  const { cwd, env, clock } = host
  return {
    now: options.now === undefined ? clock() : readNow(options.now),
    ...(options.now === undefined && { clock }),
    root: rootOf(options, cwd),
    cwd,
    version,
    stdin: most => readAll(host.stdin, most, options.tell),
    worker: workerUrl,
    environment: scrubbedEnvironment(env),
    variable: name => env[name],
    ...stateHome(env),
    ...databaseUrl(env),
    ...(options.progress && { progress: options.progress }),
    ...(options.ask && { ask: options.ask }),
    ...(options.tell && { tell: options.tell }),
  }
}

/** What a command needs to be found and to speak; all else, keys and tokens above all, is kept from it. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TERM', 'TZ', 'TMPDIR', 'USER', 'LOGNAME']

function scrubbedEnvironment(env: Host['env']): Readonly<Record<string, string>> {
  const entries = PASSED_ON.flatMap(name => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** Where the user's programs keep what they remember (XDG Base Directory Specification); only absolute paths count. */
function stateHome(env: Host['env']): { stateHome?: string } {
  const { XDG_STATE_HOME: state = '', HOME: home = '' } = env
  const folder = isAbsolute(state) ? state : isAbsolute(home) ? join(home, '.local/state') : ''
  return folder === '' ? {} : { stateHome: join(folder, 'waybill') }
}

/** Which database missions use, where it is not the embedded one. */
function databaseUrl(env: Host['env']): { databaseUrl?: string } {
  const { DATABASE_URL: url = '' } = env
  return url === '' ? {} : { databaseUrl: url }
}

/** The sources of workers are next to the other sources; built workers are in the folder above the built chunks. */
function workerUrl(work: keyof typeof WORKERS = 'check'): URL {
  const [source, built] = WORKERS[work]
  return new URL(import.meta.url.endsWith('.ts') ? source : built, import.meta.url)
}

const WORKERS = {
  check: ['./operations/check/worker.ts', '../worker.cjs'],
  audit: ['./governance/audit/worker.ts', '../audit-worker.cjs'],
  ledger: ['./ledger/file/worker.ts', '../ledger-worker.cjs'],
  policy: ['./governance/policy/worker.ts', '../policy-worker.cjs'],
  database: ['./store/embedded/watchdog.ts', '../database-watchdog.cjs'],
} as const

/** Whether a path, from the root and followed through links, stays in the repository; also one that is still to be made. */
export function isInside(root: string, path: string): boolean {
  const files = openFiles(root)
  for (let at = path; ; at = join(at, '..')) {
    const kind = files.kindOf(at)
    if (kind !== 'missing') return kind !== 'outside'
    // The target of a dangling link can appear anywhere later.
    if (isLink(resolve(root, at))) return false
  }
}

/** Why a folder is no place to search for documents and to write them; undefined when it is one. */
export function whyNoRepository(
  root: string,
  isNamed: boolean,
  { env: { HOME: home } }: Pick<Host, 'env'>,
): string | undefined {
  if (dirname(root) === root) return 'the root of the file system is no repository'
  if (home && resolve(home) === root) return 'the home folder is no repository'
  if (isNamed || findRoot(root) !== undefined) return undefined
  return `${root} is no repository: neither it nor a folder above has .git or waybill.yaml`
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

function rootOf({ root, paths = [] }: AppOptions, cwd: string): string {
  if (root !== undefined) {
    if (root === '')
      throw new WaybillError('usage', 'the root is empty', {
        hint: 'write . for this folder, or leave it out',
      })
    const folder = resolve(cwd, root)
    const stats = lookThrough(folder, `the root ${root}`)
    if (!stats) throw new WaybillError('not-found', `the root ${root} does not exist`)
    if (!stats.isDirectory()) {
      throw new WaybillError('usage', `the root ${root} is no folder`, {
        hint: 'name the folder of the repository',
      })
    }
    return folder
  }
  return rootOfAll(
    paths.filter(path => path !== '-').map(path => resolve(cwd, path)),
    cwd,
    // Where standard input is said to stand nothing need be.
    !paths.includes('-'),
  )
}

function readNow(text: string): number {
  const now = parseInstant(text)
  if (now !== undefined) return now
  throw new WaybillError('usage', text === '' ? '--now is empty' : `--now ${text} is not a time`, {
    hint: 'write it like 2026-02-11T14:30:00Z',
  })
}

async function readAll(
  stdin: Host['stdin'],
  most = MOST_BYTES,
  tell: (line: string) => void = () => {},
): Promise<Uint8Array> {
  if (stdin.isTTY) tell('reading what you type or paste; Ctrl-D on a line of its own ends it')
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stdin) {
    chunks.push(chunk)
    length += chunk.length
    // The rest would be refused all the same, and may never end.
    if (length > most) break
  }
  return Buffer.concat(chunks)
}

/** What the environment says about output. */
export function outputSettings(env: Host['env'] = process.env): {
  color: boolean | undefined
  moves: boolean
} {
  const { NO_COLOR, FORCE_COLOR: forced, TERM } = env
  const moves = TERM !== undefined && TERM !== 'dumb'
  if (NO_COLOR) return { color: false, moves }
  if (forced !== undefined) return { color: forced !== '0', moves }
  return { color: TERM === 'dumb' ? false : undefined, moves }
}
