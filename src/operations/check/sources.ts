import { existsSync, lstatSync, statSync } from 'node:fs'
import { basename, isAbsolute, posix, relative, resolve, sep } from 'node:path'
import { sameLetters } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  CONFIG_FILE,
  type Config,
  changedFiles,
  type GitListing,
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

/** Waybill's own files, checked only when named. */
const OWN: ReadonlySet<string> = new Set([CONFIG_FILE, BASELINE_FILE])

const DOCUMENT = /(?<!\.draft)\.(json|ya?ml|md|markdown)$/i

/** Selects the files of a check. */
export interface Selection {
  readonly paths?: readonly string[] | undefined
  /** Only new files and those that differ from a commit (`true`: HEAD). */
  readonly changed?: string | boolean | undefined
  /** Only staged files. */
  readonly staged?: boolean | undefined
  /** The file name assumed for standard input. */
  readonly stdinPath?: string | undefined
}

/**
 * Lists the files to check, sorted and without duplicates; adds what Git answers to the listings.
 *
 * @throws {WaybillError} 'not-found' when a path does not exist, 'usage' when options conflict
 */
export async function findSources(
  selection: Selection,
  config: Config,
  app: App,
  listings: GitListing[] = [],
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
    const closed = isPartial ? scope.flatMap(file => closedIn(file, config, app, listings)) : []
    return eachOnce([...changed.filter(source => !isPassedOver(source)), ...closed])
  }
  return eachOnce(scope.flatMap(file => expand(file, config, app, listings)))
}

function eachOnce(sources: readonly Source[]): Source[] {
  const sorted = sources.toSorted(byPath)
  return sorted.filter(({ path }, i) => path !== sorted[i - 1]?.path)
}

/** Returns the files and folders to check; the current folder by default. */
export function scopeOf(paths: readonly string[] = [], { root, cwd }: App): string[] {
  const named = paths.length > 0 ? paths : ['.']
  return named.map(path => resolve(cwd, path)).map(spelledBelow(root))
}

/** Sorts by path; a named file comes before the same file found in a folder. */
function byPath(a: Source, b: Source): number {
  if (a.path === b.path) return Number(b.named) - Number(a.named)
  return a.path < b.path ? -1 : 1
}

async function fromStdin({ paths = [], stdinPath = '' }: Selection, app: App): Promise<Source> {
  if (paths.length > 1)
    throw new WaybillError(
      'usage',
      "'-' cannot be combined with other paths: standard input is one document",
    )
  const file = spelledBelow(app.root)(resolve(app.cwd, stdinPath || '-'))
  return {
    file,
    path: stdinPath ? toPath(file, app.root) : '-',
    named: true,
    bytes: await app.stdin(),
  }
}

function expand(file: string, { ignore }: Config, app: App, listings: GitListing[]): Source[] {
  if (!isFolder(file)) return [{ file, path: toPath(file, app.root), named: true }]
  const { files, unreadable, leftOutBy } = walk(file, app.root, { ignore, listings })
  if (leftOutBy !== undefined) throw leftOut(file, leftOutBy, app)
  return [
    ...files
      .filter(f => !OWN.has(basename(f)))
      .map(f => ({ file: f, path: toPath(f, app.root), named: false })),
    ...unreadable.map(f => ({ file: f, path: toPath(f, app.root), named: true })),
  ]
}

/** Returns what Git cannot read and may have changed: the named file, or folders below it. */
function closedIn(file: string, { ignore }: Config, app: App, listings: GitListing[]): Source[] {
  if (!isFolder(file))
    return existsSync(file) ? [] : [{ file, path: toPath(file, app.root), named: true }]
  const { unreadable } = walk(file, app.root, { ignore, listings })
  return unreadable.map(f => ({ file: f, path: toPath(f, app.root), named: true }))
}

/** Refuses a named folder that is ignored, so that it is not silently skipped. */
function leftOut(folder: string, by: string, { root, cwd }: App): WaybillError {
  const name = relative(cwd, folder) || '.'
  const where = isAbsolute(by) && by.startsWith(root + sep) ? toPath(by, root) : by
  return new WaybillError('usage', `${name} is ignored by ${where}, so nothing in it is checked`, {
    hint: 'name the files in it, or pass it as --root to check it as its own repository',
  })
}

function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory()
  } catch {
    return false
  }
}

/** Matches a range of commits; branch and tag names contain none of these. */
const RANGE = /^\^|\.\.|\^[!@-]/

function oneCommit(since: string | true): string {
  if (since === true) return 'HEAD'
  if (!RANGE.test(since)) return since
  throw new WaybillError('usage', `'${since}' does not name one commit`, {
    hint: 'name one commit or branch to compare with',
  })
}

/** Refuses options that conflict. */
function mustAgree({ changed, staged, stdinPath }: Selection, paths: readonly string[]): void {
  const selections = [
    ...(paths.includes('-') ? ['standard input'] : []),
    ...(changed !== undefined && changed !== false ? ['--changed'] : []),
    ...(staged ? ['--staged'] : []),
  ]
  if (selections.length > 1) {
    throw new WaybillError('usage', `${selections.join(' and ')} cannot be combined`, {
      hint: 'each selects the files to check: pass only one',
    })
  }
  if (stdinPath !== undefined && !paths.includes('-')) {
    throw new WaybillError('usage', '--stdin-path needs standard input', {
      hint: 'pass - as the path, or name the file itself',
    })
  }
}

/** Returns a function that maps a Git path to a source: a named file, or one that a walk of the scope would find. */
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

/** Reads the staged content; by object id, because a file name need not be valid text. */
function withBytes(staged: readonly Staged[], { root }: App): Source[] {
  const blobs = readBlobs(
    root,
    staged.flatMap(({ object }) => object ?? []),
  )
  return staged.map(({ source, object }) => {
    if (object === undefined)
      return { ...source, unreadable: 'it has merge conflicts, so nothing is staged' }
    const bytes = blobs.get(object)
    if (bytes) return { ...source, bytes }
    throw new WaybillError('usage', `Git cannot find the staged content of ${source.path}`)
  })
}

/** Skips links, which may lead anywhere, and submodules. */
function isPassedOver({ file }: Source): boolean {
  try {
    const stats = lstatSync(file)
    return stats.isSymbolicLink() || stats.isDirectory()
  } catch {
    // A staged file may be missing in the work tree.
    return false
  }
}

function mustExist(file: string, cwd: string): void {
  try {
    statSync(file)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    // An existing but unreadable path is reported on the document.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return
    throw notFound(file, relative(cwd, file) || file, cause)
  }
}

function notFound(file: string, name: string, cause: unknown): WaybillError {
  // U+FFFD replaces bytes that are not UTF-8: the file may exist, but its name cannot be passed.
  if (name.includes('\ufffd'))
    return new WaybillError('not-found', `the file name ${name} is not UTF-8`, {
      hint: 'name its folder instead',
      cause,
    })
  const block = /^(.+)#L[0-9]+$/.exec(file)?.[1]
  const hint =
    block !== undefined && existsSync(block)
      ? `name the file, ${name.replace(/#L[0-9]+$/, '')}: all its blocks are checked`
      : 'name an existing file or folder'
  const form = ['NFC', 'NFD'].find(f => file.normalize(f) !== file && existsSync(file.normalize(f)))
  const also = form === undefined ? '' : sameLetters(form)
  return new WaybillError('not-found', `${name} does not exist${also}`, { hint, cause })
}

function toPath(file: string, root: string): string {
  // Fast path: a walk yields normalized paths.
  if (sep === '/' && file.startsWith(`${root}/`)) return file.slice(root.length + 1)
  return relative(root, file).split(sep).join('/') || '.'
}
