import { compileGlob, type Glob } from './glob.ts'

/** What the patterns of one `.gitignore` say of a path: to pass over it, to keep it, or nothing. */
export type Ignored = (path: readonly string[], directory: boolean) => boolean | undefined

interface Pattern {
  readonly negated: boolean
  readonly onlyFolders: boolean
  /** `undefined` stands for `**`. */
  readonly parts: readonly (Glob | undefined)[]
}

/**
 * Reads patterns as Git does; the last one that fits a path decides.
 *
 * A path is given by its names from the folder of the patterns down. What stands in a folder that is passed over is not
 * asked about.
 */
export function readIgnore(lines: readonly string[]): Ignored {
  const patterns = lines.flatMap(line => readPattern(line) ?? []).reverse()
  return (path, directory) => {
    const found = patterns.find(p => (directory || !p.onlyFolders) && fits(p.parts, path))
    return found && !found.negated
  }
}

function readPattern(line: string): Pattern | undefined {
  // A space at the end counts only behind a backslash.
  const trimmed = line.replace(/\r$/, '').replace(/(?<![\\ ]) +$/, '')
  if (trimmed === '' || trimmed.startsWith('#')) return undefined
  const negated = trimmed.startsWith('!')
  const text = negated ? trimmed.slice(1) : trimmed
  const onlyFolders = text.endsWith('/')
  const body = onlyFolders ? text.slice(0, -1) : text
  const names = (body.startsWith('/') ? body.slice(1) : body).split('/')
  if (names.every(name => name === '')) return undefined
  // Without a slash at its head or in its middle a pattern fits at any depth.
  const anywhere = !body.includes('/')
  const glob = (name: string) =>
    /^\*\*+$/.test(name) ? undefined : compileGlob(name, { dots: true })
  return { negated, onlyFolders, parts: [...(anywhere ? [undefined] : []), ...names.map(glob)] }
}

/** All ways to lay `**` over the names are followed at once. */
function fits(parts: Pattern['parts'], path: readonly string[]): boolean {
  const [first, second] = parts
  // Most patterns are single names, which concern the last name of a path only.
  if (parts.length === 2 && first === undefined && second) return second(path.at(-1) ?? '')
  let current = skip(parts, [0])
  for (const name of path) {
    current = skip(
      parts,
      [...current].flatMap(at => after(parts, at, name)),
    )
    if (current.size === 0) return false
  }
  return current.has(parts.length)
}

/** Where the pattern may stand behind a name. */
function after(parts: Pattern['parts'], at: number, name: string): number[] {
  if (at >= parts.length) return []
  const part = parts[at]
  if (part) return part(name) ? [at + 1] : []
  return at === parts.length - 1 ? [at, at + 1] : [at]
}

/** `**` may stand for no name at all, but not at the end, where it stands for what is inside. */
function skip(parts: Pattern['parts'], from: Iterable<number>): Set<number> {
  const found = new Set(from)
  for (const at of found) if (at < parts.length - 1 && parts[at] === undefined) found.add(at + 1)
  return found
}
