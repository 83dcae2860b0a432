import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { readOwnFile, reasonOf } from '../../workspace/index.ts'
import type { PolicyCode } from './codes.ts'

/** The bytes of one policy file. */
export interface PolicyFile {
  /** Path from the root, for messages. */
  readonly path: string
  /** Path from the policy folder, which begins the ids of its policies. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** A file or folder that cannot be read as policies, and why. */
export interface FileFault {
  readonly code: PolicyCode
  readonly path: string
  readonly message: string
  readonly hint: string
}

/** The contents of a policy folder. */
export interface PolicyFolder {
  /** Sorted by name. */
  readonly files: readonly PolicyFile[]
  readonly faults: readonly FileFault[]
}

const MOST_FILES = 2000
const MOST_BYTES = 256 * 1024

/**
 * Reads the policy files in a folder, recursively.
 *
 * Ignores `.gitignore` and skips nothing silently: a missing forbid would forbid nothing.
 */
export function readPolicyFolder(folder: string, root: string): PolicyFolder {
  const shown = (file: string) => toSlashes(relative(root, file)) || '.'
  const { paths, faults: found } = findFiles(folder)
  const files: PolicyFile[] = []
  if (paths.length > MOST_FILES) {
    const message = `there are ${paths.length} policy files; the limit is ${MOST_FILES}`
    const hint = 'merge policies into fewer files'
    found.push({ code: 'policy/too-large', path: folder, message, hint })
    paths.length = 0
  }
  const within = [realpathSync(folder), realpathSync(root)]
  for (const path of paths) {
    const read = readBytes(path, within)
    if ('bytes' in read) {
      files.push({ path: shown(path), name: toSlashes(relative(folder, path)), ...read })
    } else found.push({ path, ...read })
  }
  const faults = found.map(fault => ({ ...fault, path: shown(fault.path) }))
  return { files, faults: faults.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

/** The policy files in and below a folder, sorted, as absolute paths. */
function findFiles(folder: string): { paths: string[]; faults: FileFault[] } {
  const paths: string[] = []
  const faults: FileFault[] = []
  const pending = [folder]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entries = list(next)
    if (!entries) {
      faults.push({ ...UNREADABLE_FOLDER, path: next })
      continue
    }
    for (const entry of entries) {
      const path = join(next, entry.name)
      const fault = whyNotFollowed(entry, path)
      if (fault) faults.push({ ...fault, path })
      else if (entry.isDirectory()) pending.push(path)
      else if (isPolicyName(entry.name)) paths.push(path)
    }
  }
  return { paths: paths.sort(), faults }
}

const UNREADABLE_FOLDER = {
  code: 'policy/unreadable',
  message: 'the folder cannot be read',
  hint: 'make it readable',
} as const

const LINKED_FOLDER = {
  code: 'policy/outside',
  message: 'links to folders are not followed',
  hint: 'move the folder here, or link to its files',
} as const

/** Accept any case: `A.CEDAR` is meant as a policy on a case-insensitive file system. */
const isPolicyName = (name: string) => /\.cedar$/i.test(name)

const toSlashes = (path: string) => path.split(sep).join('/')

function list(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return undefined
  }
}

/** A link with an unknown target may lead to a policy folder. */
function whyNotFollowed(entry: Dirent, path: string): Omit<FileFault, 'path'> | undefined {
  if (!entry.isSymbolicLink()) return undefined
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? LINKED_FOLDER : undefined
  } catch (cause) {
    return unreadable(reasonOf(cause))
  }
}

function staysWithin(path: string, folders: readonly string[]): boolean {
  try {
    if (!lstatSync(path).isSymbolicLink()) return true
    const real = realpathSync(path)
    return folders.some(folder => real.startsWith(folder === sep ? sep : folder + sep))
  } catch {
    return false
  }
}

/** The bytes, or the fault. */
function readBytes(
  path: string,
  within: readonly string[],
): Pick<PolicyFile, 'bytes'> | Omit<FileFault, 'path'> {
  if (!staysWithin(path, within)) {
    const message = 'the file is a broken link, or one that leads out of the repository'
    return { code: 'policy/outside', message, hint: 'copy the file here' }
  }
  try {
    const bytes = readOwnFile(path, MOST_BYTES)
    if (bytes) return { bytes }
    return unreadable('the file is missing')
  } catch (error) {
    return unreadable(reasonOf(error))
  }
}

const unreadable = (why: string): Omit<FileFault, 'path'> => ({
  code: 'policy/unreadable',
  message: `the file cannot be read: ${why}`,
  hint: 'make it readable, or remove it',
})
