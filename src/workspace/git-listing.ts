import { relative, resolve, sep } from 'node:path'
import { git } from './git.ts'
import { prefixOf } from './ignore-files.ts'
import { findGitRoot, isWithin } from './root.ts'
import type { Sieve } from './sieve.ts'

/** What Git lists below a folder: tracked files, and new files that it does not ignore. */
export interface GitListing {
  /** The top of the repository. */
  readonly top: string
  readonly folder: string
  /** Paths from the folder, each ended by NUL, as bytes that threads can pass on; undefined if Git fails. */
  readonly paths: Uint8Array | undefined
  /** Whether Git warned, such as about an unreadable folder. */
  readonly isPartial: boolean
}

/** Passes over what Git ignores; undefined where Git does not answer or ignores the whole root. */
export function sieveOfGit(
  folder: string,
  root: string,
  names: RegExp,
  listings: GitListing[] = [],
): Sieve | undefined {
  const listing = listingOf(folder, root, listings)
  if (!listing?.paths) return undefined
  const { files, folders } = wantedIn(listing, names)
  const prefix = prefixOf(listing.folder)
  const pathOf = (file: string) => file.slice(prefix.length).replaceAll(sep, '/')
  const isListed =
    folder === listing.folder ? listing.paths.length > 0 : folders.has(pathOf(folder))
  const leftOutBy = isListed ? undefined : patternFileFor(folder, listing.top)
  // A repository further up may ignore the root of this one.
  if (leftOutBy !== undefined && patternFileFor(root, listing.top) !== undefined) return undefined
  const ignores = (path: string, directory: boolean) =>
    directory ? !listing.isPartial && !folders.has(pathOf(path)) : !files.has(pathOf(path))
  const { isPartial, top } = listing
  return { leftOutBy, ignores, ...(isPartial && { notIgnored: paths => notIgnored(top, paths) }) }
}

/** Adds the answer of Git to the earlier ones; asks for the whole root if this is not the first question. */
function listingOf(folder: string, root: string, listings: GitListing[]): GitListing | undefined {
  const top = findGitRoot(folder)
  if (top === undefined) return undefined
  const ofSame = listings.filter(listing => listing.top === top)
  const known = ofSame.find(listing => isWithin(listing.folder, folder))
  if (known) return known
  const isOfRoot = ofSame.length > 0 && isWithin(root, folder) && findGitRoot(root) === top
  const listing = ask(top, isOfRoot ? root : folder)
  listings.push(listing)
  return listing
}

/** Patterns and named pipes can make Git run forever. */
const MOST_MILLISECONDS = 20_000

function ask(top: string, folder: string): GitListing {
  let isPartial = false
  const complained = () => {
    isPartial = true
  }
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  try {
    const paths = git(folder, args, { timeout: MOST_MILLISECONDS, complained })
    return { top, folder, paths, isPartial }
  } catch {
    return { top, folder, paths: undefined, isPartial }
  }
}

interface Wanted {
  readonly files: ReadonlySet<string>
  /** The folders that hold such files. */
  readonly folders: ReadonlySet<string>
}

const wanted = new WeakMap<GitListing, Map<string, Wanted>>()

/** The listed files whose names match, searched once per listing and pattern. */
function wantedIn(listing: GitListing, names: RegExp): Wanted {
  const ofListing = wanted.get(listing) ?? new Map<string, Wanted>()
  wanted.set(listing, ofListing)
  const found = ofListing.get(names.source) ?? search(listing, names)
  ofListing.set(names.source, found)
  return found
}

/** A byte order mark may begin a file name. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

function search({ paths }: GitListing, names: RegExp): Wanted {
  const files = new Set<string>()
  const folders = new Set<string>()
  for (const path of DECODER.decode(paths).split('\0')) {
    let end = path.lastIndexOf('/')
    // Git lists a nested repository as a folder.
    if (end === path.length - 1 || !names.test(path.slice(end + 1))) continue
    files.add(path)
    for (; end > 0 && !folders.has(path.slice(0, end)); end = path.lastIndexOf('/', end - 1))
      folders.add(path.slice(0, end))
  }
  return { files, folders }
}

/** The file with the pattern by which Git ignores a folder. */
function patternFileFor(folder: string, top: string): string | undefined {
  if (folder === top) return undefined
  const [file = '', , pattern] = checkIgnored(top, [folder], '-v')
  return file === '' || pattern?.startsWith('!') ? undefined : resolve(top, file)
}

/** Those of some paths that Git does not ignore. */
function notIgnored(top: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return paths
  const ignored = new Set(checkIgnored(top, paths))
  return paths.filter(path => !ignored.has(relative(top, path)))
}

function checkIgnored(top: string, paths: readonly string[], ...how: readonly string[]): string[] {
  const input = paths.map(path => `${relative(top, path)}\0`).join('')
  try {
    const output = git(top, ['check-ignore', ...how, '-z', '--stdin'], { input })
    return output.toString().split('\0')
  } catch {
    // Git also fails when it ignores none of them.
    return []
  }
}
