import { type FileFinding, promisedUntil } from '../../ledger/index.ts'
import { readNote, type TrustedCheckpoint } from './checkpoint.ts'
import type { AuditCode } from './codes.ts'
import type { Faults } from './report.ts'

/** Adds a finding about a file. */
export type TellFinding = (
  finding: Pick<FileFinding, 'file' | 'detail' | 'upTo'> & { readonly found: AuditCode },
) => void

/**
 * Returns a function that adds findings, and that reports a rolled-back checkpoint instead of an unpublished one.
 *
 * Promised entries stay in the write-ahead log until a checkpoint covers them, even if the process is killed. Files
 * that cover more than is promised were therefore published before.
 *
 * @param isCopy Whether the folder may lack files that the log keeps for its own work.
 */
export function tellerOf(
  { folder, isCopy }: { readonly folder: string; readonly isCopy: boolean },
  { checkpoint, note }: TrustedCheckpoint,
  faults: Faults,
): TellFinding {
  const isPutBack = (upTo: number) =>
    !isCopy &&
    promisedUntil(folder, checkpoint.size) < upTo &&
    // A concurrent append publishes a new checkpoint.
    readNote(folder) === note
  return ({ found, file, detail, upTo }) => {
    if (upTo === undefined || !isPutBack(upTo)) faults.add(found, detail, { file })
    else
      faults.add('ledger/rolled-back', `${detail}, and no promised entries wait for publication`, {
        file,
      })
  }
}
