/** What stands at a path under the root; `outside` when the path, followed through links, leaves the root or comes to what is never committed. */
export type Kind = 'file' | 'directory' | 'missing' | 'outside'

/** Files under the repository root, as a fact for rules. Paths are relative to the root, with forward slashes. */
export interface Files {
  kindOf(path: string): Kind
  /** Whether a glob (`*`, `**`, `?`, `[…]`, `{a,b}`) matches at least one file. */
  matches(glob: string): boolean
  /** Lower-case hex SHA-256 of a file's bytes; `undefined` when there is no readable file. */
  sha256(path: string): string | undefined
}

/** Another document that a rule was given as a fact, and where it stands. */
export interface Found<T> {
  readonly path: string
  readonly value: T
}
