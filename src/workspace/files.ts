import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Files, Kind } from '../contract/index.ts'
import { sha256, sha256OfLines } from './digest.ts'
import { compileGlob } from './glob.ts'

/** Folders that globs skip unless they name them. */
const SKIPPED = new Set(['node_modules', '.git'])

/** The files under a root as a fact for rules; caches lookups. */
export function openFiles(root: string): Files {
  const real = realpathSync.native(root)
  const kinds = new Map<string, Kind>()
  const folders = new Map<string, string | undefined>()
  const kindOf = (path: string): Kind => {
    const known = kinds.get(path)
    if (known) return known
    const kind = lookUp(real, path, folders)
    kinds.set(path, kind)
    return kind
  }
  const read = (path: string): Buffer | undefined => {
    if (kindOf(path) !== 'file') return undefined
    try {
      return readFileSync(join(real, path))
    } catch {
      return undefined
    }
  }
  return {
    kindOf,
    matches: glob => anyMatch(real, glob),
    sha256: path => {
      const bytes = read(path)
      return bytes && sha256(bytes)
    },
    sha256OfLines: (path, ends) => {
      const bytes = read(path)
      return bytes && sha256OfLines(bytes, ends)
    },
  }
}

/** Resolves links once per folder, and of a file only if it is a link itself. */
function lookUp(root: string, path: string, folders: Map<string, string | undefined>): Kind {
  if (path.includes('\0')) return 'missing'
  const target = resolve(root, path)
  if (!isWithin(root, target)) return 'outside'
  if (target === root) return 'directory'
  const above = dirname(target)
  if (!folders.has(above)) folders.set(above, realPath(above))
  const folder = folders.get(above)
  if (folder === undefined) return 'missing'
  if (!isWithin(root, folder) || comesToUncommitted(root, above, folder)) return 'outside'
  try {
    return kindAt(join(folder, basename(target)), root)
  } catch {
    return 'missing'
  }
}

function kindAt(target: string, root: string): Kind {
  let stats = lstatSync(target, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink()) {
    const real = realPath(target)
    if (real !== undefined && (!isWithin(root, real) || comesToUncommitted(root, target, real)))
      return 'outside'
    stats = statSync(target, { throwIfNoEntry: false })
  }
  // Pipes and devices cannot be read to an end.
  return stats?.isDirectory() ? 'directory' : stats?.isFile() ? 'file' : 'missing'
}

/** Whether a path is in a folder that is never committed; only direct names reach it, not links. */
const UNCOMMITTED = /[/\\]\.(?:git|waybill)(?:[/\\]|$)/i

function comesToUncommitted(root: string, path: string, real: string): boolean {
  const isIn = (place: string) => UNCOMMITTED.test(place.slice(root.length))
  return path !== real && isIn(real) && !isIn(path)
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root === sep ? sep : root + sep)
}

/** Whether any file below the root matches a glob; stops at the first and visits no folder twice for the same rest. */
function anyMatch(root: string, glob: string): boolean {
  const parts = glob.split('/').filter((part, i, all) => part !== '**' || all[i - 1] !== '**')
  if (parts.some(part => part === '..' || part === '')) return false
  const seen = new Set<string>()
  const pending: { folder: string; index: number }[] = [{ folder: '', index: 0 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const key = `${next.index} ${next.folder}`
    if (seen.has(key)) continue
    seen.add(key)
    if (matchesIn(root, next, parts, pending)) return true
  }
  return false
}

interface Place {
  readonly folder: string
  readonly index: number
}

/** Matches one part of a glob against the entries of one folder; adds the remaining work to `pending`. */
function matchesIn(
  root: string,
  { folder, index }: Place,
  parts: readonly string[],
  pending: Place[],
): boolean {
  const part = parts[index] ?? ''
  const last = index === parts.length - 1
  const entries = list(join(root, folder))
  if (part === '**') {
    if (last) {
      if (entries.some(entry => entry.isFile())) return true
    } else pending.push({ folder, index: index + 1 })
    const below = entries.filter(entry => entry.isDirectory() && !SKIPPED.has(entry.name))
    for (const { name } of below) pending.push({ folder: join(folder, name), index })
    return false
  }
  const fits = compileGlob(part, { braces: true })
  const matching = entries.filter(entry => fits(entry.name))
  if (last) return matching.some(entry => kindAt(join(root, folder, entry.name), root) === 'file')
  const deeper = matching.filter(entry => entry.isDirectory())
  for (const { name } of deeper) pending.push({ folder: join(folder, name), index: index + 1 })
  return false
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
