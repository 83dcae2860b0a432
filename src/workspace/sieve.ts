/** Tells which entries of folders to pass over. */
export interface Sieve {
  /** The file with the patterns that ignore the whole folder. */
  readonly leftOutBy?: string | undefined
  /** Whether a path is ignored; the folders above it are not. */
  ignores(path: string, directory: boolean): boolean
  /** The sieve for the entries of a folder, which may hold more patterns. */
  in?(folder: string, entries: readonly { readonly name: string }[]): Sieve
  /** Those of the unreadable folders that are not ignored. */
  notIgnored?(unreadable: readonly string[]): readonly string[]
}
