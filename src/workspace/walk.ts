import { type Dirent, readdirSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { WaybillError } from '../error.ts'
import { type Ignored, readIgnore } from './ignored.ts'
import { readOwnFile } from './read.ts'
import { CONFIG_FILE } from './root.ts'

/** Extensions of files that may contain documents; drafts are checked only when named. */
const DOCUMENT = /(?<!\.draft)\.(json|ya?ml|md|markdown)$/i

/** Folders that never hold handoffs of the project itself. */
const SKIPPED = new Set(['.git', 'node_modules', '.waybill'])

interface Layer {
  /** The file with its patterns. */
  readonly from: string
  /** The path prefix that its patterns apply to. */
  readonly above: string
  readonly rules: Ignored
}

/** Options of a walk: ignore patterns in addition to `.gitignore`, and whether it enters folders. */
export interface WalkOptions {
  readonly ignore?: readonly string[] | undefined
  /** Matches the names of wanted files (default: those that may contain documents). */
  readonly names?: RegExp
  readonly reach?: 'shallow' | 'deep'
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
 * `.gitignore` files apply from the root down; the patterns of the options are relative to the root.
 */
export function walk(folder: string, root: string, options: WalkOptions = {}): Walked {
  const layers: Layer[] = []
  if (options.ignore?.length)
    layers.push({
      from: `'ignore' in ${CONFIG_FILE}`,
      above: prefixOf(root),
      rules: readIgnore(options.ignore),
    })
  for (const { above, below } of stepsBetween(root, folder)) {
    addLayer(layers, above)
    const leftOutBy = ignoring(below, true, layers)?.from
    if (leftOutBy !== undefined) return { files: [], unreadable: [], leftOutBy }
  }
  const files: string[] = []
  const unreadable: string[] = []
  const names = options.names ?? DOCUMENT
  const pending: Visit[] = [{ folder, layers, names }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const entries = list(next.folder)
    if (entries) visit(entries, { ...next, layers: [...next.layers] }, pending, files)
    else unreadable.push(next.folder)
    if (options.reach === 'shallow') break
  }
  return { files: files.sort(), unreadable: unreadable.sort() }
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
  readonly layers: Layer[]
  readonly names: RegExp
}

function visit(
  entries: readonly Dirent[],
  { folder, layers, names }: Visit,
  pending: Visit[],
  files: string[],
): void {
  if (entries.some(entry => entry.name === '.gitignore')) addLayer(layers, folder)
  const above = prefixOf(folder)
  for (const entry of entries) {
    const path = above + entry.name
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name) && !ignoring(path, true, layers))
        pending.push({ folder: path, layers, names })
    } else if (entry.isFile() && names.test(entry.name) && !ignoring(path, false, layers)) {
      files.push(path)
    }
  }
}

function list(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return undefined
  }
}

/** Limits the patterns, since each is tried on every path. */
const MOST_BYTES = 1024 ** 2

function addLayer(layers: Layer[], folder: string): void {
  const file = join(folder, '.gitignore')
  try {
    const bytes = readOwnFile(file, MOST_BYTES)
    if (bytes)
      layers.push({
        from: file,
        above: prefixOf(folder),
        rules: readIgnore(bytes.toString().split('\n')),
      })
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message
    throw new WaybillError('configuration', `${file} cannot be read: ${reason}`, { cause })
  }
}

/** The layer that ignores a path: as in Git, the innermost `.gitignore` that mentions it decides. */
function ignoring(path: string, directory: boolean, layers: readonly Layer[]): Layer | undefined {
  for (const layer of layers.toReversed()) {
    if (!path.startsWith(layer.above)) continue
    const verdict = layer.rules(path.slice(layer.above.length).split(sep), directory)
    if (verdict !== undefined) return verdict ? layer : undefined
  }
  return undefined
}

/** The path prefix of everything in a folder. */
function prefixOf(folder: string): string {
  const whole = resolve(folder)
  return whole.endsWith(sep) ? whole : whole + sep
}

/** The folders from the root down to the given one, excluding it, each with the next one. */
function stepsBetween(root: string, folder: string): { above: string; below: string }[] {
  const names = relative(root, folder).split(sep).filter(Boolean)
  if (names[0] === '..') return []
  const at = (depth: number) => join(root, ...names.slice(0, depth))
  return names.map((_, i) => ({ above: at(i), below: at(i + 1) }))
}
