import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  headCommit,
  type Listed,
  listFiles,
  openFiles,
  readBlobs,
  readOwnFile,
  reasonOf,
} from '../workspace/index.ts'
import { isShaping } from './repository-manifests.ts'

/** The repository as it stands in the work tree: its files by name, and the small ones to read. */
export interface Repository {
  readonly root: string
  readonly by: 'git' | 'folders'
  /** The commit that is checked out, or why there is none to name. */
  readonly head: { readonly commit: string } | { readonly unknown: string }
  /** Sorted by path, without what sessions leave behind. */
  readonly files: readonly Listed[]
  /** Folders that may not be read. */
  readonly unreadable: readonly string[]
  read(file: Listed): FileBytes
}

/** The bytes of a small file; a link that nobody keeps does not count, and what cannot be read says why. */
export type FileBytes =
  | { readonly bytes: Uint8Array }
  | { readonly absent: true }
  | { readonly unread: string }

/** Larger files are nobody's manifest. */
const MOST_BYTES = 1024 ** 2

/** Lists a repository; the named paths are what a session keeps there, and belong to no repository. */
export function openRepository(root: string, without: readonly string[] = []): Repository {
  const { by, files, unreadable } = listFiles(root)
  const commit = by === 'git' ? headCommit(root) : undefined
  const left = new Set(without)
  const own = files.filter(({ path }) => !left.has(path) && !isOfSessions(path))
  return {
    root,
    by,
    head: commit === undefined ? { unknown: whyNoHead(root, by) } : { commit },
    files: own,
    unreadable,
    read: openReader(root, own),
  }
}

/** Together they are more than what says how anything is built. */
const MOST_BYTES_IN_ALL = 256 * 1024 ** 2

function openReader(root: string, files: readonly Listed[]): Repository['read'] {
  const kinds = openFiles(root)
  let blobs: ReturnType<typeof readBlobs> | undefined
  let bytes = 0
  return file => {
    if (bytes > MOST_BYTES_IN_ALL) return { unread: `there are over ${MOST_BYTES_IN_ALL} bytes` }
    // Git is asked once for all of them.
    if (file.sparse !== undefined) blobs ??= readBlobs(root, sparseObjects(files))
    const read =
      file.sparse === undefined
        ? readFile(root, file, kinds.kindOf(file.path) === 'outside')
        : small(blobs?.get(file.sparse))
    if ('bytes' in read) bytes += read.bytes.length
    return read
  }
}

function sparseObjects(files: readonly Listed[]): string[] {
  const objects = files.map(({ path, sparse }) => (isShaping(path) ? sparse : undefined))
  return [...new Set(objects.filter(object => object !== undefined))]
}

/** Whether a path belongs to what sessions leave behind, wherever that stands. */
function isOfSessions(path: string): boolean {
  const names = path.split('/')
  if (names.slice(0, -1).includes('handoffs')) return true
  return /^(?:SESSION_STATE|repo-cache)\.(?:ya?ml|json)$/.test(names.at(-1) ?? '')
}

function whyNoHead(root: string, by: Repository['by']): string {
  if (by === 'git') return 'there is no commit yet'
  const there = lstatSync(join(root, '.git'), { throwIfNoEntry: false }) !== undefined
  return there ? 'Git does not read this repository' : 'this is no Git repository'
}

function readFile(root: string, file: Listed, outside: boolean): FileBytes {
  try {
    const target = join(root, file.path)
    const isLink = lstatSync(target).isSymbolicLink()
    if (isLink && !file.tracked) return { absent: true }
    if (outside) return { unread: 'it leads out of the repository' }
    if (isLink) return { unread: 'a link stands in its place' }
    const bytes = readOwnFile(target, MOST_BYTES)
    return bytes ? { bytes } : { absent: true }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { absent: true }
    return { unread: reasonOf(cause) }
  }
}

function small(bytes: Uint8Array | undefined): FileBytes {
  if (!bytes) return { unread: 'this clone does not have it' }
  return bytes.length > MOST_BYTES ? { unread: `it has more than ${MOST_BYTES} bytes` } : { bytes }
}

/** The folder of a path, `''` for the root. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end < 0 ? '' : path.slice(0, end)
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return basename(path)
}

/** Whether a path is a folder or lies in it; everything lies in the root, `''`. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** The folders that a path lies in, the nearest first; the last is the root, `''`. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    folders.push(path.slice(0, end))
  }
  return [...folders, '']
}
