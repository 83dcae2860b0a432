/** What exists at a path under the root; `outside` when symlinks lead out of the root or to what is never committed. */
export type Kind = 'file' | 'directory' | 'missing' | 'outside'

/** Files under the repository root, as a fact for rules. Paths are relative to the root, with forward slashes. */
export interface Files {
  kindOf(path: string): Kind
  /** Whether a glob (`*`, `**`, `?`, `[…]`, `{a,b}`) matches at least one file. */
  matches(glob: string): boolean
  /** Lower-case hex SHA-256 of a file's bytes; `undefined` if the file is not readable. */
  sha256(path: string): string | undefined
  /** The same hash with all line ends as LF or CRLF, which Git may convert. */
  sha256OfLines?(path: string, ends: 'LF' | 'CRLF'): string | undefined
}

const KINDS: ReadonlySet<unknown> = new Set(['file', 'directory', 'missing', 'outside'])

/** Returns what exists at a path; throws on any other answer, such as a promise. */
export function kindAt(files: Files, path: string): Kind {
  const kind = files.kindOf(path)
  if (KINDS.has(kind)) return kind
  throw new TypeError(`kindOf of the supplied files must return a kind, not ${typeof kind}`)
}

/** Returns whether a glob matches at least one file; throws if the answer is not a boolean. */
export function isMatched(files: Files, glob: string): boolean {
  const matches = files.matches(glob)
  if (typeof matches === 'boolean') return matches
  throw new TypeError(`matches of the supplied files must return a boolean, not ${typeof matches}`)
}

/** Returns the hash of a file's bytes; throws if the answer is not a string. */
export function hashAt(files: Files, path: string): string | undefined {
  const hash = files.sha256(path)
  if (hash === undefined || typeof hash === 'string') return hash
  throw new TypeError(`sha256 of the supplied files must return a string, not ${typeof hash}`)
}

/** Another document, supplied as a fact, and its path. */
export interface Found<T> {
  readonly path: string
  readonly value: T
}

/** What to add where a path is missing, but its name exists with other bytes for the same letters; else nothing. */
export function inOtherForm(files: Files, path: string): string {
  if (path.normalize('NFC') === path && path.normalize('NFD') === path) return ''
  let found = ''
  let form = ''
  for (const name of path.split('/')) {
    const forms = { '': name, NFC: name.normalize('NFC'), NFD: name.normalize('NFD') }
    const near = Object.entries(forms).find(([, n]) => kindAt(files, found + n) !== 'missing')
    if (!near) return ''
    if (near[0] !== '') form = near[0]
    found += `${near[1]}/`
  }
  return form && sameLetters(form)
}

/** Says that a file exists whose name has the same letters in another Unicode normal form. */
export function sameLetters(form: string): string {
  return `; a file of that name exists in another Unicode normal form (${form}), so rename one of the two`
}
