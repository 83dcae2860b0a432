import { type Recorded, readRecords, record } from '../workspace/index.ts'

const RESUME = 'urn:waybill:record:resume'
const REFUSED = 'urn:waybill:record:resume-refused'

/** Who resumes, and when. */
export interface Resumer {
  readonly by: string
  readonly session: string | null
  /** ISO 8601. */
  readonly at: string
}

/** A document by the bytes that were read. */
interface Subject {
  readonly path: string
  readonly sha256: string
}

/**
 * Records that somebody resumes from a document, and finds out who else did from the same bytes.
 *
 * The record is there before others are looked for: of two who resume at the same moment, at least one learns of the
 * other.
 */
export function recordResume(
  root: string,
  subject: Subject,
  { by, session, at }: Resumer,
  details: Readonly<Record<string, unknown>>,
): {
  readonly record: string
  readonly others: readonly Resumer[]
  readonly broken: readonly string[]
} {
  // Two at the same time could otherwise write the same record, and neither would see another one.
  const id = process.getBuiltinModule('node:crypto').randomUUID()
  const name = record(root, { type: RESUME, at, by, subject, session, id, ...details })
  const { records, broken } = readRecords(root, RESUME)
  const others = records.filter(
    other => other.subject?.sha256 === subject.sha256 && other.id !== id,
  )
  return { record: name, others: others.map(resumerOf), broken }
}

function resumerOf({ by, at, session }: Recorded): Resumer {
  return { by: String(by), at, session: typeof session === 'string' ? session : null }
}

/** Records that a document, or none at all, was refused to somebody who wanted to resume. */
export function recordRefusal(
  root: string,
  subject: Subject | undefined,
  { by, session, at }: Resumer,
  codes: readonly string[],
): string {
  const id = process.getBuiltinModule('node:crypto').randomUUID()
  return record(root, { type: REFUSED, at, by, ...(subject && { subject }), session, id, codes })
}
