import type { FileLogOptions, FileReaderOptions, NoteVerifier } from '../../ledger/index.ts'

/** Options for reading a log in a database. */
export type PostgresReaderOptions = Omit<FileReaderOptions, 'keysOf'>

/** Options for writing a log in a database; guards are local files. */
export type PostgresLogOptions = Omit<FileLogOptions, 'keysOf' | 'lock' | 'worker'> & {
  /**
   * Verifies guards; defaults to the verifier of the log. Other machines publish too, so a guard may be older than the
   * revocation of its key.
   */
  readonly guardVerifier?: readonly NoteVerifier[]
}
