/** The findings about a file of a log's folder. */
export type FileFault =
  | 'ledger/tile-differs'
  | 'ledger/content-surplus'
  | 'ledger/state-missing'
  | 'ledger/state-damaged'
  | 'ledger/index-missing'
  | 'ledger/index-differs'
  | 'ledger/write-ahead-damaged'
  | 'ledger/write-ahead-torn'
  | 'ledger/promises-pending'
  | 'ledger/unpublished'
  | 'ledger/stray-file'
  | 'ledger/unreadable'

/** A finding about a file of a log's folder. */
export interface FileFinding {
  readonly found: FileFault
  /** Path from the log's folder. */
  readonly file: string
  readonly detail: string
  /** The end of the entries that it concerns, if the checkpoint does not cover them. */
  readonly upTo?: number
}
