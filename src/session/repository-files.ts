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

/** The files of the work tree by path, with access to the small ones. */
export interface Repository {
  readonly root: string
  readonly by: 'git' | 'folders'
  /** The commit that is checked out, or why it is unknown. */
  readonly head: { readonly commit: string } | { readonly unknown: string }
  /** Sorted by path, without session files. */
  readonly files: readonly Listed[]
  /** Unreadable folders. */
  readonly unreadable: readonly string[]
  read(file: Listed): FileBytes
}

/** The bytes of a small file, or why it cannot be read; symbolic links do not count. */
export type FileBytes =
  | { readonly bytes: Uint8Array }
  | { readonly absent: true }
  | { readonly unread: string }

/** Most bytes of a manifest. */
const MOST_BYTES = 1024 ** 2

/** Lists a repository without the named session files. */
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

/** Most bytes to read from all files together. */
const MOST_BYTES_IN_ALL = 256 * 1024 ** 2

function openReader(root: string, files: readonly Listed[]): Repository['read'] {
  const kinds = openFiles(root)
  let blobs: ReturnType<typeof readBlobs> | undefined
  let bytes = 0
  return file => {
    if (bytes > MOST_BYTES_IN_ALL) return { unread: `there are over ${MOST_BYTES_IN_ALL} bytes` }
    // One call to Git for all files.
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

/** Whether a path is a session file, in any folder. */
function isOfSessions(path: string): boolean {
  const names = path.split('/')
  if (names.slice(0, -1).includes('handoffs')) return true
  return /^(?:SESSION_STATE|repo-cache)\.(?:ya?ml|json)$/.test(names.at(-1) ?? '')
}

function whyNoHead(root: string, by: Repository['by']): string {
  if (by === 'git') return 'there is no commit yet'
  const there = lstatSync(join(root, '.git'), { throwIfNoEntry: false }) !== undefined
  return there ? 'Git cannot read this repository' : 'this is not a Git repository'
}

function readFile(root: string, file: Listed, outside: boolean): FileBytes {
  try {
    const target = join(root, file.path)
    const isLink = lstatSync(target).isSymbolicLink()
    if (isLink && !file.tracked) return { absent: true }
    if (outside) return { unread: 'it leads out of the repository' }
    if (isLink) return { unread: 'it is a symbolic link' }
    const bytes = readOwnFile(target, MOST_BYTES)
    return bytes ? { bytes } : { absent: true }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { absent: true }
    return { unread: reasonOf(cause) }
  }
}

function small(bytes: Uint8Array | undefined): FileBytes {
  if (!bytes) return { unread: 'it is missing in this clone' }
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

/** Whether a path is the folder or inside of it; the root is `''`. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** The folders above a path, nearest first; the last is the root, `''`. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    folders.push(path.slice(0, end))
  }
  return [...folders, '']
}
