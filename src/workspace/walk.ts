import { type Dirent, readdirSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { WaybillError } from '../error.ts'
import { type Ignored, readIgnore } from './ignored.ts'
import { readOwnFile } from './read.ts'
import { CONFIG_FILE } from './root.ts'

/** Endings of the files that may hold documents; a draft is handed to nobody, and checked only when it is named. */
const DOCUMENT = /(?<!\.draft)\.(json|ya?ml|md|markdown)$/i

/** Folders that never hold handoffs of the project itself. */
const SKIPPED = new Set(['.git', 'node_modules', '.waybill'])

interface Layer {
  /** Where its patterns stand. */
  readonly from: string
  /** What the paths that it is about begin with. */
  readonly above: string
  readonly rules: Ignored
}

/** How a walk goes: patterns to pass over beside those of `.gitignore`, and whether it enters folders. */
export interface WalkOptions {
  readonly ignore?: readonly string[] | undefined
  /** Names of the files that are wanted (default: those that may hold documents). */
  readonly names?: RegExp
  readonly reach?: 'shallow' | 'deep'
}

/** What a walk found: files that may hold documents, and folders that may not be read. */
export interface Walked {
  readonly files: readonly string[]
  readonly unreadable: readonly string[]
  /** Where the patterns stand that leave out the whole folder. */
  readonly leftOutBy?: string
}

/**
 * The files below a folder that may hold documents, sorted by path; symbolic links are not followed.
 *
 * `.gitignore` files count from the root down; the patterns of the options are relative to the root.
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

/** Tells which files, relative to the root, a walk with these patterns would pass over wherever Git tracks them. */
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

/** More patterns than anyone writes would be tried on every path. */
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

/** The layer that leaves a path out: the innermost `.gitignore` that has an opinion decides, as in Git. */
function ignoring(path: string, directory: boolean, layers: readonly Layer[]): Layer | undefined {
  for (const layer of layers.toReversed()) {
    if (!path.startsWith(layer.above)) continue
    const verdict = layer.rules(path.slice(layer.above.length).split(sep), directory)
    if (verdict !== undefined) return verdict ? layer : undefined
  }
  return undefined
}

/** What the paths of everything in a folder begin with. */
function prefixOf(folder: string): string {
  const whole = resolve(folder)
  return whole.endsWith(sep) ? whole : whole + sep
}

/** The folders from the root down to, but without, the given one, each with the one that follows. */
function stepsBetween(root: string, folder: string): { above: string; below: string }[] {
  const names = relative(root, folder).split(sep).filter(Boolean)
  if (names[0] === '..') return []
  const at = (depth: number) => join(root, ...names.slice(0, depth))
  return names.map((_, i) => ({ above: at(i), below: at(i + 1) }))
}
