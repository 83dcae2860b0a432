import { counted, quote } from '../../contract/index.ts'
import type { Resumer } from '../../session/index.ts'
import type { Candidate } from './choose.ts'
import type { ResumeFinding } from './codes.ts'
import type { ResumeOutput } from './output.ts'
import { diagnosticsOf } from './steps.ts'

/** Reported when there are documents, but no valid one. */
export const NONE_VALID: ResumeFinding = {
  code: 'resume/none-valid',
  severity: 'error',
  message: 'no handoff document is valid',
  hint: 'fix the newest one; waybill check lists its errors',
}

/** Reported when a verification may have come with the repository. */
export const TRACKED: ResumeFinding = {
  code: 'resume/tracked-records',
  severity: 'warning',
  message:
    'the records are tracked by Git, so their author is unknown: the verification does not count',
  hint: 'git rm -r --cached .waybill',
}

/** Warns that nothing proves the name of the person who verified. */
export function verifiedBy(
  { by, at, note }: NonNullable<ResumeOutput['verification']>,
  path: string,
): ResumeFinding {
  return {
    code: 'resume/verified',
    severity: 'warning',
    message: `${by} verified it at ${at} (claimed: nothing proves the name): ${note}`,
    path,
  }
}

/** Warns when another session resumed from the same bytes. */
export function othersFound(others: readonly Resumer[], session: string | null): ResumeFinding[] {
  const strangers = others.filter(other => session === null || other.session !== session)
  const last = strangers.at(-1)
  if (!last) return []
  const where = last.session === null ? '' : ` in session ${quote(last.session)}`
  const more = strangers.length > 1 ? `, and ${strangers.length - 1} before` : ''
  return [
    {
      code: 'resume/also-resumed',
      severity: 'warning',
      message: `${quote(last.by)} resumed from the same document${where} at ${last.at}${more}`,
      hint: 'agree on which session continues, or say so in the next handoff: otherwise the chain forks',
    },
  ]
}

/** Warns of records that were changed. */
export function brokenFound(broken: readonly string[]): ResumeFinding[] {
  if (broken.length === 0) return []
  return [
    {
      code: 'resume/broken-records',
      severity: 'warning',
      message: `${counted(broken.length, 'record')} in .waybill/records ${broken.length === 1 ? 'was' : 'were'} changed or cannot be read, and ${broken.length === 1 ? 'does' : 'do'} not count`,
      hint: `find out who changed: ${broken.slice(0, 3).join(', ')}`,
    },
  ]
}

/** Returns the resumed document for the output. */
export function handoffOf({
  member,
  digest = '',
}: Candidate): NonNullable<ResumeOutput['handoff']> {
  const { path, timestamp, mode, adr, branch, agent, session, title } = member
  return {
    path,
    sha256: digest,
    timestamp: timestamp ?? null,
    mode: mode ?? null,
    adr: adr ?? null,
    branch: branch ?? null,
    agent: agent ?? null,
    session: session ?? null,
    title: title ?? null,
  }
}

const FIRST = 3

/** Returns a newer, invalid document and its errors. */
export function passedOver({ member, reports }: Candidate): ResumeOutput['passedOver'][number] {
  const errors = reports.flatMap(diagnosticsOf).filter(({ severity }) => severity === 'error')
  const { path, timestamp = null } = member
  return { path, timestamp, errors: Math.max(1, errors.length), reasons: errors.slice(0, FIRST) }
}

/** Warns of newer documents that are not valid. */
export function cautionOf(
  newer: readonly Candidate[],
  candidate: Candidate | undefined,
): ResumeFinding[] {
  if (!candidate) return []
  return [
    {
      code: 'resume/passed-over',
      severity: 'warning',
      message: `${counted(newer.length, 'newer document')} ${newer.length === 1 ? 'is' : 'are'} not valid and skipped`,
      hint: 'fix the newer one, or its content is lost: waybill check lists its errors',
      path: newer[0]?.member.path ?? '',
    },
  ]
}
