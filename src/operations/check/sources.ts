import { existsSync, lstatSync, statSync } from 'node:fs'
import { basename, isAbsolute, posix, relative, resolve, sep } from 'node:path'
import { WaybillError } from '../../error.ts'
import {
  CONFIG_FILE,
  type Config,
  changedFiles,
  ignoredBy,
  readBlobs,
  type StagedFile,
  spelledBelow,
  stagedFiles,
  walk,
} from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { BASELINE_FILE } from './baseline.ts'
import type { Source } from './source.ts'

/** What is nobody's document, whatever contract is asked for: only who names it means it. */
const OWN: ReadonlySet<string> = new Set([CONFIG_FILE, BASELINE_FILE])

const DOCUMENT = /(?<!\.draft)\.(json|ya?ml|md|markdown)$/i

/** Which files a check is about. */
export interface Selection {
  readonly paths?: readonly string[] | undefined
  /** Only files that differ from a commit (`true`: from HEAD), and new ones. */
  readonly changed?: string | boolean | undefined
  /** What the next commit would hold. */
  readonly staged?: boolean | undefined
  /** The name under which standard input is checked. */
  readonly stdinPath?: string | undefined
}

/** Lists what to check, sorted and each file once; a path that does not exist is an error of the call. */
export async function findSources(
  selection: Selection,
  config: Config,
  app: App,
): Promise<Source[]> {
  const paths = selection.paths ?? []
  mustAgree(selection, paths)
  if (paths.includes('-')) return [await fromStdin(selection, app)]
  const scope = scopeOf(paths, app)
  for (const file of scope) mustExist(file, app.cwd)
  const sourceOf = amongst(scope, config, app)
  if (selection.staged) {
    const staged = stagedFiles(app.root).flatMap(file => {
      const source = sourceOf(file.path)
      return source ? [{ ...file, source }] : []
    })
    return withBytes(staged, app)
  }
  if (selection.changed !== undefined && selection.changed !== false) {
    const { files, isPartial } = changedFiles(app.root, oneCommit(selection.changed))
    const changed = files.flatMap(path => sourceOf(path) ?? [])
    const closed = isPartial ? scope.flatMap(file => closedIn(file, config, app)) : []
    return eachOnce([...changed.filter(source => !isPassedOver(source)), ...closed])
  }
  return eachOnce(scope.flatMap(file => expand(file, config, app)))
}

function eachOnce(sources: readonly Source[]): Source[] {
  const sorted = sources.toSorted(byPath)
  return sorted.filter(({ path }, i) => path !== sorted[i - 1]?.path)
}

/** The files and folders that are meant, where no path is given the current one. */
export function scopeOf(paths: readonly string[] = [], { root, cwd }: App): string[] {
  const named = paths.length > 0 ? paths : ['.']
  return named.map(path => resolve(cwd, path)).map(spelledBelow(root))
}

/** Of a file that was both named and met, the name comes first. */
function byPath(a: Source, b: Source): number {
  if (a.path === b.path) return Number(b.named) - Number(a.named)
  return a.path < b.path ? -1 : 1
}

async function fromStdin({ paths = [], stdinPath = '' }: Selection, app: App): Promise<Source> {
  if (paths.length > 1)
    throw new WaybillError('usage', "'-' stands alone: standard input is one document")
  const file = spelledBelow(app.root)(resolve(app.cwd, stdinPath || '-'))
  return {
    file,
    path: stdinPath ? toPath(file, app.root) : '-',
    named: true,
    bytes: await app.stdin(),
  }
}

function expand(file: string, config: Config, app: App): Source[] {
  if (!isFolder(file)) return [{ file, path: toPath(file, app.root), named: true }]
  const { files, unreadable, leftOutBy } = walk(file, app.root, { ignore: config.ignore })
  if (leftOutBy !== undefined) throw leftOut(file, leftOutBy, app)
  return [
    ...files
      .filter(f => !OWN.has(basename(f)))
      .map(f => ({ file: f, path: toPath(f, app.root), named: false })),
    ...unreadable.map(f => ({ file: f, path: toPath(f, app.root), named: true })),
  ]
}

/** What Git cannot look at may have changed: a file that was named, or folders below one. */
function closedIn(file: string, { ignore }: Config, app: App): Source[] {
  if (!isFolder(file))
    return existsSync(file) ? [] : [{ file, path: toPath(file, app.root), named: true }]
  const { unreadable } = walk(file, app.root, { ignore })
  return unreadable.map(f => ({ file: f, path: toPath(f, app.root), named: true }))
}

/** Nothing that somebody asks for is passed over as if it were fine. */
function leftOut(folder: string, by: string, { root, cwd }: App): WaybillError {
  const name = relative(cwd, folder) || '.'
  const where = isAbsolute(by) ? toPath(by, root) : by
  return new WaybillError('usage', `${name} is left out by ${where}, so nothing in it is checked`, {
    hint: 'name the files in it, or name it with --root to check it as a repository of its own',
  })
}

function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory()
  } catch {
    return false
  }
}

/** What names several commits, or leaves one out; no name of a branch or tag holds any of these. */
const RANGE = /^\^|\.\.|\^[!@-]/

function oneCommit(since: string | true): string {
  if (since === true) return 'HEAD'
  if (!RANGE.test(since)) return since
  throw new WaybillError('usage', `'${since}' does not name one commit`, {
    hint: 'name the commit or branch from which the files here differ',
  })
}

/** What would be passed over without a word is an error of the call. */
function mustAgree({ changed, staged, stdinPath }: Selection, paths: readonly string[]): void {
  const selections = [
    ...(paths.includes('-') ? ['standard input'] : []),
    ...(changed !== undefined && changed !== false ? ['--changed'] : []),
    ...(staged ? ['--staged'] : []),
  ]
  if (selections.length > 1) {
    throw new WaybillError('usage', `${selections.join(' and ')} do not go together`, {
      hint: 'each says by itself what is checked: give one of them',
    })
  }
  if (stdinPath !== undefined && !paths.includes('-')) {
    throw new WaybillError('usage', '--stdin-path names what stands on standard input', {
      hint: 'give - as the path, or name the file itself',
    })
  }
}

/** Takes a path from Git for what was named, or for what a walk through the folders in question would meet. */
function amongst(
  scope: readonly string[],
  { ignore = [] }: Config,
  app: App,
): (path: string) => Source | undefined {
  const isIgnored = ignoredBy(ignore)
  const named = new Set(scope)
  return path => {
    const file = resolve(app.root, path)
    if (named.has(file)) return { file, path, named: true }
    if (!DOCUMENT.test(path) || OWN.has(posix.basename(path)) || isIgnored(path)) return undefined
    return scope.some(s => file.startsWith(s + sep)) ? { file, path, named: false } : undefined
  }
}

interface Staged extends StagedFile {
  readonly source: Source
}

/** What the commit would hold, rather than what the work tree holds; the name of a file need not be text. */
function withBytes(staged: readonly Staged[], { root }: App): Source[] {
  const blobs = readBlobs(
    root,
    staged.flatMap(({ object }) => object ?? []),
  )
  return staged.map(({ source, object }) => {
    if (object === undefined)
      return { ...source, unreadable: 'a merge left it in conflict, so nothing is staged' }
    const bytes = blobs.get(object)
    if (bytes) return { ...source, bytes }
    throw new WaybillError('usage', `Git does not have what is staged of ${source.path}`)
  })
}

/** As on a walk, links are not followed: they may lead anywhere. What is a folder is a submodule. */
function isPassedOver({ file }: Source): boolean {
  try {
    const stats = lstatSync(file)
    return stats.isSymbolicLink() || stats.isDirectory()
  } catch {
    // What is staged may have no place in the work tree any more.
    return false
  }
}

function mustExist(file: string, cwd: string): void {
  try {
    statSync(file)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    // What is there but cannot be reached is a fault of that document.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return
    throw notFound(file, relative(cwd, file) || file, cause)
  }
}

function notFound(file: string, name: string, cause: unknown): WaybillError {
  // What stands for bytes that are no text: such a name cannot be handed over, and the file may well be there.
  if (name.includes('\ufffd'))
    return new WaybillError('not-found', `no file can be named by ${name}, which is not UTF-8`, {
      hint: 'name the folder that it is in',
      cause,
    })
  const block = /^(.+)#L[0-9]+$/.exec(file)?.[1]
  const hint =
    block !== undefined && existsSync(block)
      ? `name the file, ${name.replace(/#L[0-9]+$/, '')}: its blocks are checked together`
      : 'name a file or a folder that exists'
  return new WaybillError('not-found', `${name} does not exist`, { hint, cause })
}

function toPath(file: string, root: string): string {
  // What a walk finds is written without detours already.
  if (sep === '/' && file.startsWith(`${root}/`)) return file.slice(root.length + 1)
  return relative(root, file).split(sep).join('/') || '.'
}
