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

/** A document, identified by the bytes that were read. */
interface Subject {
  readonly path: string
  readonly sha256: string
}

/**
 * Records a resume and returns the other resumes from the same bytes.
 *
 * Writes the record before it looks for others: when two sessions resume at the same time, at least one sees the
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
  // A unique record: otherwise two concurrent resumes could write the same one and not see each other.
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

/** Records a refused resume; the document may be absent. */
export function recordRefusal(
  root: string,
  subject: Subject | undefined,
  { by, session, at }: Resumer,
  codes: readonly string[],
): string {
  const id = process.getBuiltinModule('node:crypto').randomUUID()
  return record(root, { type: REFUSED, at, by, ...(subject && { subject }), session, id, codes })
}
