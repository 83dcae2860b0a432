import { lstatSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { decode, formatInstant, formatOf, readDocuments } from '../document/index.ts'
import { openFiles, readOwnFile } from '../workspace/index.ts'
import type { Repository } from './repository-files.ts'
import type { Signature } from './repository-signature.ts'

/** What a cache file says of the repository that it describes. */
export interface CacheFile {
  readonly gitHead: string
  readonly repoSignature: string
  readonly lastUpdated: string
  /** Whether it holds a digest of the repository. */
  readonly digest: boolean
}

/** A cache file as it was read, or in words why it was not. */
export type ReadCache = CacheFile | { readonly refused: string }

const UNKNOWN = 'unknown'
/** A cache is a digest; more than this is none. */
const MOST_BYTES = 4 * 1024 ** 2

/**
 * Reads a cache file, which may be anybody's: only a regular file of moderate size is read, and only what has the
 * form of a commit, a digest or a day is taken from it.
 */
export async function readCache(root: string, path: string, now: number): Promise<ReadCache> {
  const refused = whyNotRead(root, path)
  if (refused !== undefined) return { refused }
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(isAbsolute(path) ? path : join(root, path), MOST_BYTES)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    return {
      refused: code === undefined ? `cannot be used: ${message}` : `cannot be read (${code})`,
    }
  }
  if (!bytes) return { refused: 'does not exist' }
  const { text, faults } = decode(bytes)
  const format = formatOf(path, text)
  if (format === 'markdown') return { refused: 'is neither YAML nor JSON' }
  const { documents } = await readDocuments(text, format, faults)
  const [document] = documents
  const fault = document?.faults[0]
  if (fault) return { refused: `cannot be used: ${fault.message}` }
  const fields = documents.length === 1 ? cacheIn(document?.value) : undefined
  return fields
    ? factsOf(fields, now)
    : { refused: 'holds no cache: GitHead and RepoSignature are missing' }
}

function whyNotRead(root: string, path: string): string | undefined {
  if (isAbsolute(path)) {
    return whyNoFile(path)
  }
  switch (openFiles(root).kindOf(path)) {
    case 'file':
      return undefined
    case 'outside':
      return 'leads out of the repository'
    case 'directory':
      return 'is a folder'
    case 'missing':
      return whyNoFile(join(root, path)) ?? 'does not exist'
  }
}

/** A name from a document may be one that no file can have. */
function whyNoFile(file: string): string | undefined {
  try {
    return lstatSync(file).isFile() ? undefined : 'is no regular file'
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    return /^ENO(?:ENT|TDIR)$/.test(code) ? 'does not exist' : `cannot be read (${code})`
  }
}

type Values = Readonly<Record<string, unknown>>

/** Caches are found bare, or below a name of their own. */
function cacheIn(value: unknown): Values | undefined {
  const outer = fieldsOf(value)
  const inner = ['RepoCache', 'RepoCacheFile'].map(key => fieldsOf(own(outer, key)))
  return [outer, ...inner].find(
    fields => own(fields, 'GitHead') !== undefined || own(fields, 'RepoSignature') !== undefined,
  )
}

function factsOf(fields: Values, now: number): CacheFile {
  const day = String(own(fields, 'LastUpdated') ?? '').slice(0, 10)
  const known = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day) && day <= formatInstant(now).slice(0, 10)
  const digest = own(fields, 'RepoMapDigest')
  return {
    gitHead: hexIn(own(fields, 'GitHead')),
    repoSignature: hexIn(own(fields, 'RepoSignature')),
    lastUpdated: known ? day : UNKNOWN,
    digest: Object.keys(fieldsOf(digest) ?? {}).length > 0,
  }
}

function hexIn(value: unknown): string {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return /^[0-9a-f]{7,64}$/.test(text) ? text : UNKNOWN
}

function fieldsOf(value: unknown): Values | undefined {
  const is = typeof value === 'object' && value !== null && !Array.isArray(value)
  return is ? (value as Values) : undefined
}

function own(fields: Values | undefined, key: string): unknown {
  return fields && Object.hasOwn(fields, key) ? fields[key] : undefined
}

/** Whether two facts are the same; nobody knows where one of them is not known. */
export type Match = true | false | 'unknown'

/** How a cache stands to the repository as it is now. */
export interface CacheComparison {
  readonly gitHeadMatch: Match
  readonly repoSignatureMatch: Match
  readonly valid: boolean
  /** Why the cache may not be relied on; empty where it may. */
  readonly reason: string
}

/**
 * Compares a cache with the repository.
 *
 * The signature decides where it is known on both sides, since it sees what was not committed; else the commit does.
 */
export function compareCache(
  cache: ReadCache,
  { head }: Repository,
  signature: Signature,
): CacheComparison {
  if ('refused' in cache) {
    return {
      gitHeadMatch: UNKNOWN,
      repoSignatureMatch: UNKNOWN,
      valid: false,
      reason: `the cache ${cache.refused}`,
    }
  }
  const commit = 'commit' in head ? head.commit : UNKNOWN
  const digest = 'digest' in signature ? signature.digest : UNKNOWN
  const gitHeadMatch = matchOf(cache.gitHead, commit, commit.startsWith(cache.gitHead))
  const repoSignatureMatch = matchOf(cache.repoSignature, digest, digest === cache.repoSignature)
  const valid =
    repoSignatureMatch === true || (repoSignatureMatch !== false && gitHeadMatch === true)
  return {
    gitHeadMatch,
    repoSignatureMatch,
    valid,
    reason: valid ? '' : whyInvalid(gitHeadMatch, repoSignatureMatch),
  }
}

function matchOf(persisted: string, current: string, same: boolean): Match {
  return persisted === UNKNOWN || current === UNKNOWN ? UNKNOWN : same
}

function whyInvalid(head: Match, signature: Match): string {
  if (signature === false && head === true)
    return 'the commit is the same, and files that shape the repository were changed since'
  if (signature === false) return 'what shapes the repository has changed'
  if (head === false) return 'the commit is another, and no signature tells whether that matters'
  return 'neither commit nor signature can be compared'
}
