import { existsSync, lstatSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { WaybillError } from '../error.ts'

/** The name of the configuration file, at the repository's root. */
export const CONFIG_FILE = 'waybill.yaml'

/** The root of the repository that a path belongs to: the nearest folder with a configuration or a `.git`. */
export function findRoot(path: string): string | undefined {
  let folder = isDirectory(path) ? resolve(path) : dirname(resolve(path))
  while (true) {
    if (isThere(join(folder, CONFIG_FILE)) || existsSync(join(folder, '.git'))) return folder
    const above = dirname(folder)
    if (above === folder) return undefined
    folder = above
  }
}

/** The top of the Git repository that a folder belongs to, if it belongs to one. */
export function findGitRoot(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : findGitRoot(above)
}

/**
 * The one root that all named paths belong to, in whatever order they come.
 *
 * It is that of the working directory where it holds them, or else that of their own. A configuration further down answers
 * for nobody who stands above it; a Git repository further down is one of its own.
 *
 * @throws WaybillError when they belong to several.
 */
export function rootOfAll(paths: readonly string[], cwd: string): string {
  const own = findRoot(cwd)
  if (paths.length === 0) return own ?? cwd
  const isOwn = own === undefined ? () => false : memberOf(own)
  const others = paths.filter(path => !isOwn(path)).map(path => rootAlone(path, cwd))
  const roots = own !== undefined && others.length < paths.length ? [own, ...others] : others
  const root = roots.reduce((one, other) => (other.length < one.length ? other : one))
  const isMember = memberOf(root)
  const stray = paths.find(path => !isMember(path))
  if (stray === undefined) return root
  throw new WaybillError('usage', `${stray} does not belong to the repository ${root}`, {
    hint: 'name the documents of one repository at a time, or say with --root which folder answers for them all',
  })
}

/** What belongs to no repository and lies elsewhere is a world of its own. */
function rootAlone(path: string, cwd: string): string {
  const found = findRoot(path)
  if (found !== undefined) return found
  return isWithin(cwd, path) ? cwd : folderOf(path)
}

/** The folder that stands for the repository of a path outside any: handoffs belong to the folder above theirs. */
function folderOf(path: string): string {
  const folder = isDirectory(path) ? path : dirname(path)
  return basename(folder) === 'handoffs' ? dirname(folder) : folder
}

/** Tells of paths whether they lie below a root, with no Git repository between. */
function memberOf(root: string): (path: string) => boolean {
  const members = new Set([root])
  const isMember = (path: string): boolean => {
    if (members.has(path)) return true
    const is = isWithin(root, path) && !existsSync(join(path, '.git')) && isMember(dirname(path))
    if (is) members.add(path)
    return is
  }
  return isMember
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Whether anything stands at a path, a link that leads nowhere included. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
