import { dirname } from 'node:path'
import {
  isTracked,
  type Recorded,
  readRecords,
  record,
  STATE_FOLDER,
  stateFolder,
} from '../workspace/index.ts'

/** The type of verification records. */
export const VERIFICATION = 'urn:waybill:record:verification'

/** A person's verification of a document; the name is not proved. */
export interface Verification {
  readonly by: string
  readonly at: string
  readonly note: string
}

/** Records that a person verified the bytes of a document; it does not apply to other bytes. */
export function recordVerification(
  root: string,
  subject: { readonly path: string; readonly sha256: string },
  { by, at, note }: Verification,
  session: string | null,
): void {
  record(root, { type: VERIFICATION, at, by, subject, session, standing: 'claimed', note })
}

/** The latest verification of these bytes, and the records that were changed and do not count. */
export function findVerification(
  root: string,
  digest: string,
): { readonly verification?: Verification; readonly broken: readonly string[] } {
  const { records, broken } = readRecords(root, VERIFICATION)
  const found = records.findLast(({ subject }) => subject?.sha256 === digest)
  if (!found || typeof found.by !== 'string') return { broken }
  return { verification: { by: found.by, at: found.at, note: noteOf(found) }, broken }
}

function noteOf({ note }: Recorded): string {
  return typeof note === 'string' ? note : ''
}

/** Whether Git tracks the records, so they may come from an author of the repository. */
export function areRecordsTracked(root: string): boolean {
  return isTracked(dirname(stateFolder(root)), STATE_FOLDER)
}
