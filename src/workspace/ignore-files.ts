import { join, relative, resolve, sep } from 'node:path'
import { WaybillError } from '../error.ts'
import { type Ignored, readIgnore } from './ignored.ts'
import { readOwnFile } from './read.ts'
import type { Sieve } from './sieve.ts'

/** The patterns of one file. */
interface Layer {
  readonly from: string
  /** The path prefix that its patterns apply to. */
  readonly above: string
  readonly rules: Ignored
}

/** Applies the `.gitignore` files of a root and the folders below it where Git does not answer. */
export function sieveOfFiles(folder: string, root: string): Sieve {
  let layers: readonly Layer[] = []
  for (const { above, below } of stepsBetween(root, folder)) {
    layers = withLayer(layers, above)
    const leftOutBy = ignoring(below, true, layers)?.from
    if (leftOutBy !== undefined) return { leftOutBy, ignores: () => true }
  }
  return sieve(layers)
}

/** Applies patterns that are relative to a root. */
export function sieveOfPatterns(
  patterns: readonly string[],
  folder: string,
  root: string,
  from: string,
): Sieve {
  if (patterns.length === 0) return { ignores: () => false }
  const layer = { from, above: prefixOf(root), rules: readIgnore(patterns) }
  const out = stepsBetween(root, folder).some(({ below }) => ignoring(below, true, [layer]))
  return out ? { leftOutBy: from, ignores: () => true } : sieve([layer])
}

function sieve(layers: readonly Layer[]): Sieve {
  return {
    ignores: (path, directory) => ignoring(path, directory, layers) !== undefined,
    in: (folder, entries) =>
      entries.some(entry => entry.name === '.gitignore')
        ? sieve(withLayer(layers, folder))
        : sieve(layers),
  }
}

/** Limits the patterns, since each is tried on every path. */
const MOST_BYTES = 1024 ** 2

function withLayer(layers: readonly Layer[], folder: string): readonly Layer[] {
  const file = join(folder, '.gitignore')
  try {
    const bytes = readOwnFile(file, MOST_BYTES)
    if (!bytes) return layers
    const rules = readIgnore(bytes.toString().split('\n'))
    return [...layers, { from: file, above: prefixOf(folder), rules }]
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
export function prefixOf(folder: string): string {
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
