import { lstatSync, mkdirSync, type Stats } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { WaybillError } from '../error.ts'
import { commonGitFolder } from './git.ts'
import { lookThrough, refused } from './look.ts'
import { realPath } from './root.ts'
import { createAtomically } from './write.ts'

/** The name of the folder with local state. */
export const STATE_FOLDER = '.waybill'

/** The folder of local state: at the root, or for a linked Git worktree at the root of its repository. */
export function stateFolder(root: string): string {
  // Only a linked worktree or a submodule has a file there.
  if (!lookThrough(join(root, '.git'))?.isFile()) return join(root, STATE_FOLDER)
  const common = commonGitFolder(root)
  return join(common && basename(common) === '.git' ? dirname(common) : root, STATE_FOLDER)
}

/** The path of a root relative to the root of its local state; empty except for a linked Git worktree. */
export function worktreeOf(root: string): string {
  const home = dirname(stateFolder(root))
  return home === root ? '' : relative(home, realPath(root)).split(sep).join('/')
}

/**
 * Resolves such a relative path from another root with the same local state; undefined if it does not exist. Entries
 * without a path, from earlier versions, resolve to the given root.
 */
export function rootOfWorktree(worktree: string | undefined, root: string): string | undefined {
  if (worktree === undefined || worktree === worktreeOf(root)) return root
  const home = realPath(dirname(stateFolder(root)))
  const other = join(home, worktree)
  try {
    const isOne = realPath(dirname(stateFolder(other))) === home && worktreeOf(other) === worktree
    return isOne ? other : undefined
  } catch {
    // Not a usable path: the name is too long, links form a loop, or a folder is not accessible.
    return undefined
  }
}

/** Opens the folder of local state or one in it; creates it readable by its owner only and ignored by Git. */
export function openStateFolder(root: string, ...within: readonly string[]): string {
  let folder = stateFolder(root)
  makeFolder(folder)
  // The process that created the folder may have ended, or the disk been full, before this was written.
  const ignore = join(folder, '.gitignore')
  if (!lookWithin(ignore)) createAtomically(ignore, '*\n')
  for (const name of within) {
    folder = join(folder, name)
    makeFolder(folder)
  }
  return folder
}

/**
 * Returns the stats of a path in local state; does not follow links.
 *
 * @throws {WaybillError} 'exists' when local state is not a folder, 'input-output' when it cannot be read.
 */
export function lookInState(root: string, ...within: readonly string[]): Stats | undefined {
  return lookWithin(join(stateFolder(root), ...within))
}

function lookWithin(place: string): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const folder = dirname(place)
    // A link loop does not lead to a folder either.
    if (code === 'ENOTDIR' || code === 'ELOOP') throw isNoFolder(folder)
    throw new WaybillError('input-output', `${folder} cannot be read (${code})`, {
      hint: 'only its owner may read local state: run this as the user who created it',
      cause,
    })
  }
}

/** Creates one folder. The repository may contain a link of that name, which could lead anywhere. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EEXIST') {
      throw refused(`${folder} cannot be created`, cause)
    }
  }
  if (lstatSync(folder).isDirectory()) return
  throw isNoFolder(folder)
}

function isNoFolder(folder: string): WaybillError {
  return new WaybillError('exists', `${folder} exists but is not a folder`, {
    hint: 'move it away: Waybill keeps local state in a folder of this name',
  })
}
