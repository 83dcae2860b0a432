import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { WaybillError } from '../error.ts'

/** The name of the configuration file at the root. */
export const CONFIG_FILE = 'waybill.yaml'

/** The root of the repository that a path belongs to: the nearest folder with a configuration or a `.git`. */
export function findRoot(path: string): string | undefined {
  let folder = folderOf(resolve(path))
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
 * Returns the one root that all named paths belong to, in any order.
 *
 * The root of the working directory covers everything below it; elsewhere each path has its own.
 *
 * @throws {WaybillError} 'usage' when they belong to several roots, or only to the root of the file system; 'not-found'
 * when a path to read does not exist.
 */
export function rootOfAll(paths: readonly string[], cwd: string, areRead = true): string {
  const own = findRoot(cwd)
  const here = own ?? cwd
  const respell = spelledBelow(here)
  const isHere = (path: string) => isWithin(here, respell(path))
  const find = remembered(findRoot)
  const roots = paths.map(path => (own && isHere(path) ? own : (find(folderOf(path)) ?? '')))
  // Of two nested roots, compare with the inner one.
  const root = roots.reduce((one, other) => (other.length > one.length ? other : one), '')
  if (!root) return paths.every(isHere) ? here : commonFolder(paths, areRead)
  const real = remembered(realPath)
  const stray = roots.findIndex(other => other !== root && real(other) !== real(root))
  if (stray === -1) return root
  throw new WaybillError('usage', `${paths[stray]} does not belong to the repository ${root}`, {
    hint: 'name documents of one repository, or set a common folder with --root',
  })
}

/**
 * Rewrites paths that are below a root only after resolving links, so that they start with the root; keeps the others.
 *
 * Resolves links of folders, each folder once.
 */
export function spelledBelow(root: string): (path: string) => string {
  const real = remembered(realPath)
  return path => {
    if (isWithin(root, path)) return path
    const folder = folderOf(path)
    const place = folder === path ? real(path) : join(real(folder), basename(path))
    return isWithin(real(root), place) ? join(root, relative(real(root), place)) : path
  }
}

/** Converts a path from a folder to one from the root; it may lead out of the root, which callers check. */
export function pathFromRoot(name: string, { root, cwd }: { root: string; cwd: string }): string {
  return relative(root, spelledBelow(root)(resolve(cwd, name)))
    .split(sep)
    .join('/')
}

/** The fallback root for paths outside of repositories: handoffs belong to the folder above theirs. */
function commonFolder(paths: readonly string[], areRead: boolean): string {
  const common = paths.map(folderOf).reduce((one, other) => {
    let at = one
    while (!isWithin(at, other) && dirname(at) !== at) at = dirname(at)
    return at
  })
  const folder = basename(common) === 'handoffs' ? dirname(common) : common
  if (dirname(folder) !== folder) return folder
  // A block of a file is named by the file and its line.
  const absent = paths.find(path => !isThere(path.replace(/#L[0-9]+$/, '')))
  if (areRead && absent !== undefined)
    throw new WaybillError('not-found', `${absent} does not exist`, {
      hint: 'name a file or a folder that exists',
    })
  throw new WaybillError(
    'usage',
    `the named paths are in no repository, and their only common folder is ${folder}`,
    { hint: 'set their root with --root' },
  )
}

function folderOf(path: string): string {
  return isDirectory(path) ? path : dirname(path)
}

function remembered<Found>(look: (folder: string) => Found): (folder: string) => Found {
  const known = new Map<string, Found>()
  return folder => {
    const found = known.has(folder) ? (known.get(folder) as Found) : look(folder)
    known.set(folder, found)
    return found
  }
}

/** Resolves links; of a path that does not exist yet, its existing part. */
export function realPath(path: string): string {
  const rest: string[] = []
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...rest.reverse())
    } catch {
      if (dirname(at) === at) return path
      rest.push(basename(at))
    }
  }
}

/** Whether a path is a folder or inside of it, by its name. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Whether anything exists at a path, including a broken link. */
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
