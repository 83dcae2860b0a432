import { type FileFinding, promisedUntil } from '../../ledger/index.ts'
import { readNote, type TrustedCheckpoint } from './checkpoint.ts'
import type { AuditCode } from './codes.ts'
import type { Faults } from './report.ts'

/** Adds what is found about a file. */
export type TellFinding = (
  finding: Pick<FileFinding, 'file' | 'detail' | 'upTo'> & { readonly found: AuditCode },
) => void

/**
 * Makes what adds findings, and tells a checkpoint that was put back from one that is still to come.
 *
 * Until a checkpoint covers them, promised entries stand in the write-ahead log, also when the process was killed: where
 * more was there than is promised, it was published before.
 *
 * @param isCopy That only a part of what the log keeps may be there.
 */
export function tellerOf(
  { folder, isCopy }: { readonly folder: string; readonly isCopy: boolean },
  { checkpoint, note }: TrustedCheckpoint,
  faults: Faults,
): TellFinding {
  const isPutBack = (upTo: number) =>
    !isCopy &&
    promisedUntil(folder, checkpoint.size) < upTo &&
    // Whoever writes meanwhile publishes.
    readNote(folder) === note
  return ({ found, file, detail, upTo }) => {
    if (upTo === undefined || !isPutBack(upTo)) faults.add(found, detail, { file })
    else
      faults.add('ledger/rolled-back', `${detail}, and nothing is left to be published`, { file })
  }
}
