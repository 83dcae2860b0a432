import type { FileLogOptions, FileReaderOptions } from '../../ledger/index.ts'

/** What it takes to read a log in a database. */
export type PostgresReaderOptions = Omit<FileReaderOptions, 'keysOf'>

/** What it takes to write a log in a database; the guards are files of this machine. */
export type PostgresLogOptions = Omit<FileLogOptions, 'keysOf' | 'lock' | 'worker'>
