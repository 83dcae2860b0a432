import { lstatSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { decode, formatInstant, formatOf, readDocuments } from '../document/index.ts'
import { openFiles, readOwnFile } from '../workspace/index.ts'
import type { Repository } from './repository-files.ts'
import type { Signature } from './repository-signature.ts'

/** The fields of a repository cache file. */
export interface CacheFile {
  readonly gitHead: string
  readonly repoSignature: string
  readonly lastUpdated: string
  /** Whether it contains a RepoMapDigest. */
  readonly digest: boolean
}

/** A cache file, or why it was refused. */
export type ReadCache = CacheFile | { readonly refused: string }

const UNKNOWN = 'unknown'
/** Most bytes of a cache file. */
const MOST_BYTES = 4 * 1024 ** 2

/**
 * Reads an untrusted cache file: only a regular file of moderate size, and only values in the form of a commit,
 * a digest or a date.
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
    : { refused: 'is not valid: GitHead and RepoSignature are missing' }
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

/** Paths from documents may be invalid file names. */
function whyNoFile(file: string): string | undefined {
  try {
    return lstatSync(file).isFile() ? undefined : 'is not a regular file'
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    return /^ENO(?:ENT|TDIR)$/.test(code) ? 'does not exist' : `cannot be read (${code})`
  }
}

type Values = Readonly<Record<string, unknown>>

/** The fields may be at the top level or under RepoCache or RepoCacheFile. */
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

/** Whether two facts are equal; unknown if either is. */
export type Match = true | false | 'unknown'

/** The comparison of a cache with the current repository. */
export interface CacheComparison {
  readonly gitHeadMatch: Match
  readonly repoSignatureMatch: Match
  readonly valid: boolean
  /** Why the cache is invalid; empty if it is valid. */
  readonly reason: string
}

/**
 * Compares a cache with the repository.
 *
 * The signature decides if both are known, since it covers uncommitted changes; otherwise the commit decides.
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
    return 'the commit matches, but files that shape the repository have changed since'
  if (signature === false) return 'what shapes the repository has changed'
  if (head === false) return 'the commit differs, and there is no signature to compare'
  return 'neither the commit nor the signature can be compared'
}
