import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { WaybillError } from '../error.ts'

/** The name of the configuration file, at the repository's root. */
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
 * The one root that all named paths belong to, in whatever order they come.
 *
 * That of the working directory answers for everything below it, as a walk takes it; elsewhere each path has its own.
 *
 * @throws WaybillError when they belong to several, or to none but the root of the file system; what is to be read, and is
 * not there, is told as that.
 */
export function rootOfAll(paths: readonly string[], cwd: string, areRead = true): string {
  const own = findRoot(cwd)
  const here = own ?? cwd
  const respell = spelledBelow(here)
  const isHere = (path: string) => isWithin(here, respell(path))
  const find = remembered(findRoot)
  const roots = paths.map(path => (own && isHere(path) ? own : (find(folderOf(path)) ?? '')))
  // Of two roots one in the other, the inner one is the one that a path can be said not to belong to.
  const root = roots.reduce((one, other) => (other.length > one.length ? other : one), '')
  if (!root) return paths.every(isHere) ? here : commonFolder(paths, areRead)
  const real = remembered(realPath)
  const stray = roots.findIndex(other => other !== root && real(other) !== real(root))
  if (stray === -1) return root
  throw new WaybillError('usage', `${paths[stray]} does not belong to the repository ${root}`, {
    hint: 'name the documents of one repository at a time, or say with --root which folder answers for them all',
  })
}

/**
 * Respells what lies below a root only by where links lead, so that it lies there as written; the rest stays as it is.
 *
 * The links of folders count, and each folder is asked once.
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

/** A path that somebody named from a folder, as it is called from the root; whoever may not leave the root looks at it still. */
export function pathFromRoot(name: string, { root, cwd }: { root: string; cwd: string }): string {
  return relative(root, spelledBelow(root)(resolve(cwd, name)))
    .split(sep)
    .join('/')
}

/** What stands for the repository of paths outside any: handoffs belong to the folder above theirs. */
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
    `what is named lies in no repository, and no folder but ${folder} holds it all`,
    { hint: 'say with --root which folder answers for it' },
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

/** Where links lead; of what is not there yet, the part that is there counts. */
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
