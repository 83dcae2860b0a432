import { type Dirent, readdirSync } from 'node:fs'
import { type GitListing, sieveOfGit } from './git-listing.ts'
import { prefixOf, sieveOfFiles, sieveOfPatterns } from './ignore-files.ts'
import { readIgnore } from './ignored.ts'
import { CONFIG_FILE } from './root.ts'
import type { Sieve } from './sieve.ts'

/** Extensions of files that may contain documents; drafts are checked only when named. */
const DOCUMENT = /(?<!\.draft)\.(json|ya?ml|md|markdown)$/i

/** Folders that never hold handoffs of the project itself. */
const SKIPPED = new Set(['.git', 'node_modules', '.waybill'])

/** Options of a walk: ignore patterns in addition to those of Git, and whether it enters folders. */
export interface WalkOptions {
  readonly ignore?: readonly string[] | undefined
  /** Matches the names of wanted files (default: those that may contain documents). */
  readonly names?: RegExp
  readonly reach?: 'shallow' | 'deep'
  /** What Git listed for earlier walks; the walk adds its own. */
  readonly listings?: GitListing[]
}

/** The result of a walk: files that may contain documents, and unreadable folders. */
export interface Walked {
  readonly files: readonly string[]
  readonly unreadable: readonly string[]
  /** The file with the patterns that ignore the whole folder. */
  readonly leftOutBy?: string
}

/**
 * Finds the files below a folder that may contain documents, sorted by path; does not follow symbolic links.
 *
 * Folders below it with a `.git` of their own, such as other work trees, belong to other repositories and are passed over.
 * Git decides what is ignored. Where it cannot, or ignores the root itself, `.gitignore` files apply from the root down.
 * The patterns of the options are relative to the root.
 */
export function walk(folder: string, root: string, options: WalkOptions = {}): Walked {
  const { names = DOCUMENT, ignore = [], reach, listings } = options
  const sieves = [sieveOfPatterns(ignore, folder, root, `'ignore' in ${CONFIG_FILE}`)]
  sieves.push(sieveOfGit(folder, root, names, listings) ?? sieveOfFiles(folder, root))
  const leftOutBy = sieves.find(sieve => sieve.leftOutBy !== undefined)?.leftOutBy
  if (leftOutBy !== undefined) return { files: [], unreadable: [], leftOutBy }
  const files: string[] = []
  let unreadable: readonly string[] = []
  const pending: Visit[] = [{ folder, sieves, names }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const entries = list(next.folder)
    if (entries && (next.folder === folder || !isRepository(entries)))
      visit(entries, next, pending, files)
    else if (!entries) unreadable = [...unreadable, next.folder]
    if (reach === 'shallow') break
  }
  for (const sieve of sieves) unreadable = sieve.notIgnored?.(unreadable) ?? unreadable
  return { files: files.sort(), unreadable: unreadable.toSorted() }
}

/** Returns whether a walk with these patterns would skip a file, relative to the root. */
export function ignoredBy(patterns: readonly string[]): (path: string) => boolean {
  const rules = readIgnore(patterns)
  return path => {
    const names = path.split('/')
    const above = names.slice(0, -1)
    return (
      above.some((name, i) => SKIPPED.has(name) || rules(names.slice(0, i + 1), true)) ||
      rules(names, false) === true
    )
  }
}

interface Visit {
  readonly folder: string
  readonly sieves: readonly Sieve[]
  readonly names: RegExp
}

function visit(
  entries: readonly Dirent[],
  { folder, sieves: above, names }: Visit,
  pending: Visit[],
  files: string[],
): void {
  const sieves = above.map(sieve => sieve.in?.(folder, entries) ?? sieve)
  const prefix = prefixOf(folder)
  for (const entry of entries) {
    const path = prefix + entry.name
    const isFolder = entry.isDirectory()
    const isWanted = isFolder ? !SKIPPED.has(entry.name) : entry.isFile() && names.test(entry.name)
    if (!isWanted || sieves.some(sieve => sieve.ignores(path, isFolder))) continue
    if (isFolder) pending.push({ folder: path, sieves, names })
    else files.push(path)
  }
}

function isRepository(entries: readonly Dirent[]): boolean {
  return entries.some(entry => entry.name === '.git')
}

function list(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return undefined
  }
}
