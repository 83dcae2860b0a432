import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, matchesGlob, resolve, sep } from 'node:path'
import type { Files, Kind } from '../contract/index.ts'

/** Folders that no glob looks into unless it names them. */
const SKIPPED = new Set(['node_modules', '.git'])

/** The files under a root as a fact for rules; what is asked for twice is looked up once. */
export function openFiles(root: string): Files {
  const real = realpathSync(root)
  const kinds = new Map<string, Kind>()
  const kindOf = (path: string): Kind => {
    const known = kinds.get(path)
    if (known) return known
    const kind = lookUp(real, path)
    kinds.set(path, kind)
    return kind
  }
  return {
    kindOf,
    matches: glob => anyMatch(real, '', glob.split('/')),
    sha256: path => {
      if (kindOf(path) !== 'file') return undefined
      try {
        return createHash('sha256').update(readFileSync(join(real, path))).digest('hex')
      } catch {
        return undefined
      }
    },
  }
}

function lookUp(root: string, path: string): Kind {
  if (path.includes('\0')) return 'missing'
  const target = resolve(root, path)
  if (!isWithin(root, target)) return 'outside'
  try {
    if (!isWithin(root, realpathSync(target))) return 'outside'
    return statSync(target).isDirectory() ? 'directory' : 'file'
  } catch {
    return 'missing'
  }
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root === sep ? sep : root + sep)
}

/** Whether any file below a folder matches the rest of a glob; stops at the first. */
function anyMatch(root: string, folder: string, [head, ...rest]: readonly string[]): boolean {
  if (head === undefined) return false
  if (head === '..' || head === '') return false
  const entries = list(join(root, folder))
  if (head === '**') {
    if (anyMatch(root, folder, rest)) return true
    return entries.some(
      entry =>
        entry.isDirectory() &&
        !SKIPPED.has(entry.name) &&
        anyMatch(root, join(folder, entry.name), [head, ...rest]),
    )
  }
  return entries.some(entry => {
    if (!matchesGlob(entry.name, head)) return false
    const path = join(folder, entry.name)
    if (rest.length === 0) return lookUp(root, path) === 'file'
    return lookUp(root, path) === 'directory' && !isLink(join(root, path)) && anyMatch(root, path, rest)
  })
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
