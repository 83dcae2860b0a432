/** What can be found about a file of a log's folder. */
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

/** One thing that is to be said about a file of a log's folder. */
export interface FileFinding {
  readonly found: FileFault
  /** From the log's folder. */
  readonly file: string
  readonly detail: string
  /** Up to which entry it speaks of what the checkpoint does not cover. */
  readonly upTo?: number
}
