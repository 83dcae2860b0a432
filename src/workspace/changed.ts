import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../error.ts'
import { askGit, headCommit, tryGit } from './git.ts'
import { indexUnderWay } from './git-environment.ts'

/** The files changed since a commit, as far as Git could read them. */
interface Changed {
  /** Relative to the root, sorted. */
  readonly files: readonly string[]
  /** Whether Git warned, such as about an unreadable folder, whose files it reports as deleted. */
  readonly isPartial: boolean
}

/** Files that differ from a commit, and untracked files. */
export function changedFiles(root: string, since: string): Changed {
  mustBeRepository(root)
  let isPartial = false
  const complained = () => {
    isPartial = true
  }
  const files = filesSince(root, since, complained)
  return { files, isPartial }
}

/** Files that differ from the last commit before a time, or from HEAD; none where Git cannot say. */
export function filesChangedAfter(root: string, time: number | undefined): readonly string[] {
  const before = time === undefined ? undefined : commitBefore(root, time)
  try {
    return changedFiles(root, before || 'HEAD').files
  } catch {
    return []
  }
}

function commitBefore(root: string, time: number): string | undefined {
  const instant = new Date(time).toISOString()
  return tryGit(root, ['rev-list', '--max-count=1', `--before=${instant}`, 'HEAD'])
}

function filesSince(root: string, since: string, complained: () => void): string[] {
  if (since === 'HEAD' && headCommit(root) === undefined) return presentFiles(root, complained)
  const changed = askGit(root, [
    ...withoutFilters(root),
    'diff',
    '--name-only',
    '--ignore-submodules',
    '--relative',
    '--diff-filter=d',
    '-z',
    '--end-of-options',
    since,
    '--',
  ])
  const others = ['ls-files', '--others', '--exclude-standard', '-z']
  const untracked = askGit(root, others, { complained })
  return [...new Set([...names(changed), ...names(untracked)])].sort()
}

/** Fails early outside of a repository, where git diff would compare folders. */
function mustBeRepository(root: string): void {
  askGit(root, ['rev-parse', '--git-dir'])
}

/** Before the first commit every file is new. */
function presentFiles(root: string, complained: () => void): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const all = askGit(root, args, { complained })
  // A file whose name is not UTF-8 cannot be tested for existence, so it stays on the list and is reported.
  const isThere = (path: string) => path.includes('\ufffd') || existsSync(join(root, path))
  return [...new Set(names(all))].filter(isThere).sort()
}

/** Disables filters, which are programs that the repository configures. */
function withoutFilters(root: string): string[] {
  const set = tryGit(root, ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'])
  const filters = (set ?? '')
    .split('\0')
    .filter(name => /\.(?:clean|process|smudge|required)$/.test(name))
  // Such a name cannot be set on the command line.
  const odd = filters.find(name => name.includes('='))
  if (odd)
    throw new WaybillError('configuration', `Git has a filter with the unsupported name ${odd}`)
  return filters.flatMap(name => ['-c', `${name}=${name.endsWith('required') ? 'false' : ''}`])
}

/** A file that the next commit would change. */
export interface StagedFile {
  /** Relative to the root. */
  readonly path: string
  /** The id of the blob in the index; absent during an unresolved merge. */
  readonly object?: string
}

/** Returns the staged files, without symbolic links and submodules; sorted by path. */
export function stagedFiles(root: string): StagedFile[] {
  mustBeRepository(root)
  const args = [
    'diff',
    '--cached',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--ignore-submodules',
    '--relative',
    '--diff-filter=d',
    '-z',
  ]
  const index = indexUnderWay(() => gitFolder(root))
  const fields = names(askGit(root, args, { index }))
  const files: StagedFile[] = []
  // Before each path comes its change, such as `:100644 100644 <before> <after> M`; 10… is a regular file.
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode = '', , object = '', status] = fields[i]?.split(' ') ?? []
    const path = fields[i + 1] ?? ''
    if (status === 'U') files.push({ path })
    else if (mode.startsWith('10')) files.push({ path, object })
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function gitFolder(root: string): string {
  return realpathSync(askGit(root, ['rev-parse', '--absolute-git-dir']).toString().trim())
}

function names(output: Buffer): string[] {
  return output.toString().split('\0').filter(Boolean)
}
