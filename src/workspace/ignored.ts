import { compileGlob, type Glob } from './glob.ts'

/** Whether the patterns of one `.gitignore` ignore a path, keep it, or do not mention it. */
export type Ignored = (path: readonly string[], directory: boolean) => boolean | undefined

interface Pattern {
  readonly negated: boolean
  readonly onlyFolders: boolean
  /** `undefined` means `**`. */
  readonly parts: readonly (Glob | undefined)[]
}

/**
 * Reads patterns as Git does; the last match decides.
 *
 * A path is a list of names relative to the folder of the patterns. Callers do not ask about paths in an ignored
 * folder.
 */
export function readIgnore(lines: readonly string[]): Ignored {
  const patterns = lines.flatMap(line => readPattern(line) ?? []).reverse()
  return (path, directory) => {
    const found = patterns.find(p => (directory || !p.onlyFolders) && fits(p.parts, path))
    return found && !found.negated
  }
}

function readPattern(line: string): Pattern | undefined {
  // A trailing space counts only after a backslash.
  const trimmed = line.replace(/\r$/, '').replace(/(?<![\\ ]) +$/, '')
  if (trimmed === '' || trimmed.startsWith('#')) return undefined
  const negated = trimmed.startsWith('!')
  const text = negated ? trimmed.slice(1) : trimmed
  const onlyFolders = text.endsWith('/')
  const body = onlyFolders ? text.slice(0, -1) : text
  const names = (body.startsWith('/') ? body.slice(1) : body).split('/')
  if (names.every(name => name === '')) return undefined
  // A pattern without a slash at its start or in its middle matches at any depth.
  const anywhere = !body.includes('/')
  const glob = (name: string) =>
    /^\*\*+$/.test(name) ? undefined : compileGlob(name, { dots: true })
  return { negated, onlyFolders, parts: [...(anywhere ? [undefined] : []), ...names.map(glob)] }
}

/** Follows all ways to match `**` at once. */
function fits(parts: Pattern['parts'], path: readonly string[]): boolean {
  const [first, second] = parts
  // Most patterns are single names, which only match the last name of a path.
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

/** The pattern positions after a name. */
function after(parts: Pattern['parts'], at: number, name: string): number[] {
  if (at >= parts.length) return []
  const part = parts[at]
  if (part) return part(name) ? [at + 1] : []
  return at === parts.length - 1 ? [at, at + 1] : [at]
}

/** `**` may match no name, except at the end, where it matches the content of a folder. */
function skip(parts: Pattern['parts'], from: Iterable<number>): Set<number> {
  const found = new Set(from)
  for (const at of found) if (at < parts.length - 1 && parts[at] === undefined) found.add(at + 1)
  return found
}
