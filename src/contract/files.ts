/** What stands at a path under the root; `outside` when the path, followed through links, leaves the root or comes to what is never committed. */
export type Kind = 'file' | 'directory' | 'missing' | 'outside'

/** Files under the repository root, as a fact for rules. Paths are relative to the root, with forward slashes. */
export interface Files {
  kindOf(path: string): Kind
  /** Whether a glob (`*`, `**`, `?`, `[…]`, `{a,b}`) matches at least one file. */
  matches(glob: string): boolean
  /** Lower-case hex SHA-256 of a file's bytes; `undefined` when there is no readable file. */
  sha256(path: string): string | undefined
  /** The same of its bytes with all line ends as LF or as CRLF: what Git keeps of a text, and what it checks out for some. */
  sha256OfLines?(path: string, ends: 'LF' | 'CRLF'): string | undefined
}

const KINDS: ReadonlySet<unknown> = new Set(['file', 'directory', 'missing', 'outside'])

/** What stands at a path; throws where whoever supplied the files answers something else, such as a promise, which must not pass for a file. */
export function kindAt(files: Files, path: string): Kind {
  const kind = files.kindOf(path)
  if (KINDS.has(kind)) return kind
  throw new TypeError(`kindOf of the files that were supplied answers ${typeof kind}, and no kind`)
}

/** Whether a glob matches at least one file; throws where whoever supplied the files answers neither yes nor no. */
export function isMatched(files: Files, glob: string): boolean {
  const matches = files.matches(glob)
  if (typeof matches === 'boolean') return matches
  throw new TypeError(
    `matches of the files that were supplied answers ${typeof matches}, and no boolean`,
  )
}

/** The hash of a file's bytes; throws where whoever supplied the files answers with something else. */
export function hashAt(files: Files, path: string): string | undefined {
  const hash = files.sha256(path)
  if (hash === undefined || typeof hash === 'string') return hash
  throw new TypeError(`sha256 of the files that were supplied answers ${typeof hash}, and no text`)
}

/** Another document that a rule was given as a fact, and where it stands. */
export interface Found<T> {
  readonly path: string
  readonly value: T
}
