import type { FileLogOptions, FileReaderOptions, NoteVerifier } from '../../ledger/index.ts'

/** What it takes to read a log in a database. */
export type PostgresReaderOptions = Omit<FileReaderOptions, 'keysOf'>

/** What it takes to write a log in a database; the guards are files of this machine. */
export type PostgresLogOptions = Omit<FileLogOptions, 'keysOf' | 'lock' | 'worker'> & {
  /**
   * What checks the guards, those of the log when absent. Other machines publish as well, so that a guard may be older
   * than the revocation of its key.
   */
  readonly guardVerifier?: readonly NoteVerifier[]
}
