import { type Listed, sha256 } from '../workspace/index.ts'
import { foldersAbove, type Repository } from './repository-files.ts'
import { isShaping } from './repository-manifests.ts'

/** The digest of what shapes a repository, or why there is none. */
export type Signature = {
  /** Folders that hold a file, and files whose text shapes the repository. */
  readonly folders: number
  readonly shaping: readonly string[]
} & ({ readonly digest: string } | { readonly unknown: string; readonly at: readonly string[] })

/** The first line of what is digested: another definition gets another number. */
const DEFINITION = 'waybill repository signature 1'

/** More files than this shape no repository, and reading them would take too long. */
const MOST_SHAPING = 20_000

/**
 * Digests what shapes a repository: its folders, its submodules, and the text of manifests, build and pipeline
 * settings, interface descriptions and rulebooks.
 *
 * It is SHA-256 over lines in the order of their code units: `folder "<path>"` for every folder that holds a kept
 * file, itself or below; `submodule "<path>" <commit>`; `file "<path>" <SHA-256 of its bytes with LF line ends>`.
 * Paths are NFC and written as JSON. Links, handoffs, state files and caches do not count, nor do new files of other
 * kinds; so it is the same in every clone of a commit, with or without Git, and changes where the map of a repository
 * could.
 */
export function signatureOf(repository: Repository): Signature {
  const { files, unreadable } = repository
  const shaping = files.filter(({ kind, path }) => kind === 'file' && isShaping(path))
  const digested = shaping.length > MOST_SHAPING ? [] : digestEach(repository, shaping)
  const present = digested.filter(({ digest }) => digest !== undefined)
  const folders = foldersOf([...files.filter(({ tracked }) => tracked), ...present])
  const about = { folders: folders.size, shaping: shaping.map(({ path }) => path) }
  const [first] = [
    ...unreadable.map(path => ({ path, why: UNREADABLE })),
    ...digested.filter(isUnread),
  ]
  if (first) return { ...about, unknown: `cannot be read: ${first.why}`, at: [first.path] }
  if (shaping.length > MOST_SHAPING) {
    return { ...about, unknown: `there are more than ${MOST_SHAPING} files to digest`, at: [] }
  }
  const lines = [
    ...[...folders].map(folder => `folder ${written(folder)}`),
    ...files.flatMap(({ path, commit }) =>
      commit ? [`submodule ${written(path)} ${commit}`] : [],
    ),
    ...present.map(({ path, digest }) => `file ${written(path)} ${digest}`),
  ]
  return { ...about, digest: sha256(`${[DEFINITION, ...lines.sort()].join('\n')}\n`) }
}

interface Digested {
  readonly path: string
  /** Neither this nor a reason is there for what was deleted, and for links. */
  readonly digest?: string
  readonly why?: string
}

const isUnread = (file: Digested): file is Digested & { readonly why: string } =>
  file.why !== undefined

function digestEach(repository: Repository, files: readonly Listed[]): Digested[] {
  return files.map(file => {
    const { path } = file
    const read = repository.read(file)
    if ('unread' in read) return { path, why: read.unread }
    return 'bytes' in read ? { path, digest: sha256(withLineFeeds(read.bytes)) } : { path }
  })
}

const UNREADABLE = 'permission is denied'

/** The folders that files lie in, without the root. */
function foldersOf(files: readonly { readonly path: string }[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const { path } of files) {
    for (const folder of foldersAbove(path)) {
      // What lies above a known folder is known too.
      if (folder === '' || folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}

/** Some file systems take names apart that others put together. */
function written(path: string): string {
  return JSON.stringify(path.normalize('NFC'))
}

const CARRIAGE_RETURN = 13
const LINE_FEED = 10

/** The bytes with CRLF as LF, so that the line ends of a work tree do not count. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(CARRIAGE_RETURN)) return bytes
  return bytes.filter((byte, i) => byte !== CARRIAGE_RETURN || bytes[i + 1] !== LINE_FEED)
}
