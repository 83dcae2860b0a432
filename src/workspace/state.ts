import { lstatSync, mkdirSync, type Stats } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { WaybillError } from '../error.ts'
import { commonGitFolder } from './git.ts'
import { lookThrough, refused } from './look.ts'
import { realPath } from './root.ts'
import { createAtomically } from './write.ts'

/** The name of the folder with local state. */
export const STATE_FOLDER = '.waybill'

/** Where local state stands: at the root, or for a linked Git worktree at the root of the repository it belongs to. */
export function stateFolder(root: string): string {
  // Only a linked worktree or a submodule has a file there.
  if (!lookThrough(join(root, '.git'))?.isFile()) return join(root, STATE_FOLDER)
  const common = commonGitFolder(root)
  return join(common && basename(common) === '.git' ? dirname(common) : root, STATE_FOLDER)
}

/** Where a root lies from the one at which its local state stands: empty but for a linked Git worktree. */
export function worktreeOf(root: string): string {
  const home = dirname(stateFolder(root))
  return home === root ? '' : relative(home, realPath(root)).split(sep).join('/')
}

/**
 * The root that lies so, seen from another one with the same local state; nothing where there is none here. What does not
 * say where it lies, as what earlier versions have stored, lies where it is asked for.
 */
export function rootOfWorktree(worktree: string | undefined, root: string): string | undefined {
  if (worktree === undefined || worktree === worktreeOf(root)) return root
  const home = realPath(dirname(stateFolder(root)))
  const other = join(home, worktree)
  try {
    const isOne = realPath(dirname(stateFolder(other))) === home && worktreeOf(other) === worktree
    return isOne ? other : undefined
  } catch {
    // It is no place at all: its name is too long, links lead in a circle, or a folder may not be entered.
    return undefined
  }
}

/** The folder of local state, or one in it, made where it is missing: only its owner reads it, and Git passes over it. */
export function openStateFolder(root: string, ...within: readonly string[]): string {
  let folder = stateFolder(root)
  makeFolder(folder)
  // Whoever made the folder may have been ended, or the disk been full, before this was written.
  const ignore = join(folder, '.gitignore')
  if (!lookWithin(ignore)) createAtomically(ignore, '*\n')
  for (const name of within) {
    folder = join(folder, name)
    makeFolder(folder)
  }
  return folder
}

/**
 * What stands at a place of local state; links are not followed.
 *
 * @throws WaybillError where the folder of local state is no folder, or may not be looked into.
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
    // A link in a circle leads to no folder either.
    if (code === 'ENOTDIR' || code === 'ELOOP') throw isNoFolder(folder)
    throw new WaybillError('input-output', `${folder} cannot be read (${code})`, {
      hint: 'local state is for its owner alone: run this as whoever made it',
      cause,
    })
  }
}

/** Makes one folder. A repository may hold a link of that name, which could lead anywhere. */
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
  return new WaybillError('exists', `${folder} is there, but it is no folder`, {
    hint: 'move it away: the folder of this name holds local state',
  })
}
