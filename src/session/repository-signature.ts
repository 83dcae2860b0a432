import { type Listed, sha256 } from '../workspace/index.ts'
import { foldersAbove, type Repository } from './repository-files.ts'
import { isShaping } from './repository-manifests.ts'

/** The digest of the files that shape a repository, or why it is unknown. */
export type Signature = {
  /** The number of folders, and the files whose text is included. */
  readonly folders: number
  readonly shaping: readonly string[]
} & ({ readonly digest: string } | { readonly unknown: string; readonly at: readonly string[] })

/** The first line of the digested text; changes of the definition increment the number. */
const DEFINITION = 'waybill repository signature 1'

/** Most files to digest; reading more would take too long. */
const MOST_SHAPING = 20_000

/**
 * Digests what shapes a repository: its folders, its submodules, and the text of manifests, build and pipeline
 * settings, interface descriptions and rulebooks.
 *
 * It is SHA-256 over lines sorted by code units: `folder "<path>"` for every folder that contains a tracked
 * file, itself or below; `submodule "<path>" <commit>`; `file "<path>" <SHA-256 of its bytes with LF line ends>`.
 * Paths are in NFC and written as JSON. Links, handoffs, state files, caches and untracked files of other kinds do not
 * count, so it is the same in every clone of a commit, with or without Git, and changes when the map of a repository
 * may change.
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
  /** Both are absent for deleted files and links. */
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

/** The folders of the files, without the root. */
function foldersOf(files: readonly { readonly path: string }[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const { path } of files) {
    for (const folder of foldersAbove(path)) {
      // The parents of a known folder are known too.
      if (folder === '' || folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}

/** Normalises to NFC, since some file systems decompose names. */
function written(path: string): string {
  return JSON.stringify(path.normalize('NFC'))
}

const CARRIAGE_RETURN = 13
const LINE_FEED = 10

/** Converts CRLF to LF, so line ends of a work tree do not matter. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(CARRIAGE_RETURN)) return bytes
  return bytes.filter((byte, i) => byte !== CARRIAGE_RETURN || bytes[i + 1] !== LINE_FEED)
}
