import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve, sep } from 'node:path'
import { MOST_BYTES, parseInstant } from './document/index.ts'
import { WaybillError } from './error.ts'
import type { App } from './operations/operation.ts'
import { findRoot, openFiles } from './workspace/index.ts'

/** What a surface may decide about the program that it runs. */
export interface AppOptions {
  /** ISO time to take for now. */
  readonly now?: string | undefined
  /** The repository's root; found from the first path when absent. */
  readonly root?: string | undefined
  readonly paths?: readonly string[]
  readonly progress?: (done: number, total: number) => void
  readonly ask?: ((question: string) => Promise<string>) | undefined
  readonly tell?: (line: string) => void
}

/** Puts the program together: clock, root, standard input, the second core. */
export function openApp(options: AppOptions, version: string): App {
  const cwd = process.cwd()
  return {
    now: options.now === undefined ? Date.now() : readNow(options.now),
    root: rootOf(options, cwd),
    cwd,
    version,
    stdin,
    worker: workerUrl,
    environment: scrubbedEnvironment(),
    ...(options.progress && { progress: options.progress }),
    ...(options.ask && { ask: options.ask }),
    ...(options.tell && { tell: options.tell }),
  }
}

/** What a command needs to be found and to speak; all else, keys and tokens above all, is kept from it. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TERM', 'TZ', 'TMPDIR', 'USER', 'LOGNAME']

function scrubbedEnvironment(): Readonly<Record<string, string>> {
  const entries = PASSED_ON.flatMap(name => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** Beside the sources stands the source of the worker, above the built chunks its built form. */
function workerUrl(): URL {
  const name = import.meta.url.endsWith('.ts') ? './operations/check/worker.ts' : '../worker.cjs'
  return new URL(name, import.meta.url)
}

/** Whether a path, from the root and followed through links, stays in the repository. */
export function isInside(root: string, path: string): boolean {
  return openFiles(root).kindOf(path) !== 'outside'
}

function rootOf({ root, paths = [] }: AppOptions, cwd: string): string {
  if (root !== undefined) {
    const folder = resolve(cwd, root)
    if (!existsSync(folder)) throw new WaybillError('not-found', `the root ${root} does not exist`)
    return folder
  }
  const start = resolve(cwd, paths.find(path => path !== '-') ?? '.')
  const own = findRoot(cwd) ?? cwd
  // A path that belongs to no repository and lies elsewhere is a world of its own.
  return findRoot(start) ?? (isWithin(own, start) ? own : folderOf(start))
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder + sep)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The folder that stands for the repository of a path outside any: handoffs belong to the folder above theirs. */
function folderOf(path: string): string {
  const folder = isFolder(path) ? path : dirname(path)
  return basename(folder) === 'handoffs' ? dirname(folder) : folder
}

function readNow(text: string): number {
  const now = parseInstant(text)
  if (now !== undefined) return now
  throw new WaybillError('usage', `--now ${text} is not a time`, {
    hint: 'write it like 2026-02-11T14:30:00Z',
  })
}

async function stdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    // The rest would be refused all the same, and may never end.
    if (length > MOST_BYTES) break
  }
  return Buffer.concat(chunks)
}

/** What the environment says about output. */
export function outputSettings(): { color: boolean | undefined } {
  if (process.env.NO_COLOR) return { color: false }
  const forced = process.env.FORCE_COLOR
  return { color: forced === undefined ? undefined : forced !== '0' }
}
