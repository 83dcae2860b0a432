import { relative, sep } from 'node:path'
import { tryGit } from './git.ts'
import { walk } from './walk.ts'

/** A file of a repository, listed by Git or found in the folders. */
export interface Listed {
  /** Relative to the root, forward slashes. */
  readonly path: string
  readonly kind: 'file' | 'submodule'
  /** Whether Git tracks it; without Git every file counts as tracked. */
  readonly tracked: boolean
  /** The blob id of a tracked file outside of a sparse checkout. */
  readonly sparse?: string
  /** The commit of a submodule. */
  readonly commit?: string
}

/** The files of a repository, each once, sorted by path; symbolic links are left out. */
export interface Listing {
  readonly by: 'git' | 'folders'
  readonly files: readonly Listed[]
  /** Unreadable folders. */
  readonly unreadable: readonly string[]
}

/** Folders that are never part of the repository's work, even if not in `.gitignore`. */
const SKIPPED = ['node_modules', '.waybill']

/**
 * Lists the files of a repository.
 *
 * With Git: tracked files that are not deleted, and new files that the repository's `.gitignore` files do not ignore;
 * settings of the machine do not count. Without Git: the files found in the folders.
 */
export function listFiles(root: string): Listing {
  return listByGit(root) ?? listByFolders(root)
}

function listByGit(root: string): Listing | undefined {
  const kept = tryGit(root, ['ls-files', '-z', '-t', '--stage', '--cached', '--deleted', '--', '.'])
  if (kept === undefined) return undefined
  const skipped = SKIPPED.map(name => `--exclude=${name}`)
  const others = tryGit(root, [
    'ls-files',
    '-z',
    '-t',
    '--others',
    '--exclude-per-directory=.gitignore',
    ...skipped,
    '--',
    '.',
  ])
  if (others === undefined) return undefined
  const found = new Map<string, Listed>()
  const gone = new Set<string>()
  for (const line of [...kept.split('\0'), ...others.split('\0')]) {
    const entry = readEntry(line)
    if (entry === undefined) continue
    if (entry.tag === 'R') gone.add(entry.file.path)
    else found.set(entry.file.path, entry.file)
  }
  for (const path of gone) found.delete(path)
  const files = [...found.values()].filter(({ path }) => !isSkipped(path))
  return { by: 'git', files: files.sort(byPath), unreadable: [] }
}

const SYMBOLIC_LINK = '120000'
const SUBMODULE = '160000'

/** Parses a line of Git's list: a tag, then mode, object and stage of tracked files, and the path. */
function readEntry(line: string): { readonly tag: string; readonly file: Listed } | undefined {
  const [, tag, mode, object, path = ''] =
    /^([A-Z?]) (?:([0-7]{6}) ([0-9a-f]+) [0-3]\t)?(.+)$/s.exec(line) ?? []
  // A nested repository that is not a submodule is listed as a folder.
  if (tag === undefined || mode === SYMBOLIC_LINK || path.endsWith('/')) return undefined
  const tracked = tag !== '?'
  if (object === undefined) return { tag, file: { path, kind: 'file', tracked } }
  if (mode === SUBMODULE) return { tag, file: { path, kind: 'submodule', tracked, commit: object } }
  const sparse = tag === 'S' && { sparse: object }
  return { tag, file: { path, kind: 'file', tracked, ...sparse } }
}

function isSkipped(path: string): boolean {
  return path.split('/').some(name => SKIPPED.includes(name))
}

function listByFolders(root: string): Listing {
  const { files, unreadable } = walk(root, root, { names: /(?:)/ })
  const toPath = (file: string) => relative(root, file).split(sep).join('/')
  const listed = files.map(file => ({
    path: toPath(file),
    kind: 'file' as const,
    tracked: true,
  }))
  return { by: 'folders', files: listed.sort(byPath), unreadable: unreadable.map(toPath) }
}

function byPath(a: Listed, b: Listed): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
