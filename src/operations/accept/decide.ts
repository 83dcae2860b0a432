import type { Fields } from '../../contract/index.ts'
import { compatibilityOf, READ_VERSION } from '../../contracts/index.ts'
import { IN_BASELINE } from '../check/baseline.ts'
import type { ReportedDiagnostic } from '../check/output.ts'
import type { AcceptOutput, SessionComparison } from './output.ts'
import type { Received } from './received.ts'

/** What to do with a context of another session. */
export type Policy = SessionComparison['policy']

const VERSION_RULE = 'session-context/compatible-version'
const SESSION_RULE = 'session-context/session-matches'

/** The decision about a received context. */
export interface Decision {
  readonly accepted: boolean
  readonly session: SessionComparison
  readonly version: Omit<AcceptOutput['version'], 'ignored'>
  readonly diagnostics: readonly ReportedDiagnostic[]
}

/**
 * Decides whether a context may be used: it has no error, its version is compatible, and its session matches or the
 * policy allows another.
 *
 * Excuses in the baseline or in `waybill.yaml` do not apply to the version and the session.
 */
export function decide({ report, value }: Received, current: string, policy: Policy): Decision {
  const { session_id, schema_version } = (value ?? {}) as Fields
  const stated = typeof session_id === 'string' ? session_id : null
  const version = typeof schema_version === 'string' ? schema_version : null
  const compatibility = version === null ? 'incompatible' : compatibilityOf(version)
  const matches = stated === current
  const diagnostics = [
    ...excusedByBaseline(report),
    ...withVersion(report.diagnostics, compatibility === 'incompatible'),
  ].map(d =>
    d.code === SESSION_RULE ? { ...d, severity: weightOf(policy), hint: WORDS[policy] } : d,
  )
  const refused = !matches && policy === 'reject' && stated !== null
  if (refused && !diagnostics.some(d => d.code === SESSION_RULE))
    diagnostics.push(
      diagnostic(SESSION_RULE, 'the context belongs to another session', WORDS.reject),
    )
  const accepted = report.contract !== null && !diagnostics.some(d => d.severity === 'error')
  const outcome = !accepted
    ? 'rejected'
    : matches
      ? 'same'
      : policy === 'fresh'
        ? 'fresh'
        : 'warned'
  return {
    accepted,
    session: { current, stated, matches, policy, outcome },
    version: { stated: version, read: READ_VERSION, compatibility },
    diagnostics,
  }
}

const WORDS: Readonly<Record<Policy, string>> = {
  reject: 'ask the source agent for a fresh context, or choose --on-mismatch warn or fresh',
  warn: 'it may be stale; to refuse or empty it, choose --on-mismatch reject or fresh',
  fresh: 'its content was dropped; the target starts empty',
}

function weightOf(policy: Policy): 'error' | 'warning' {
  return policy === 'reject' ? 'error' : 'warning'
}

function withVersion(
  diagnostics: readonly ReportedDiagnostic[],
  incompatible: boolean,
): ReportedDiagnostic[] {
  const weighed = diagnostics.map(d =>
    d.code === VERSION_RULE ? { ...d, severity: 'error' as const } : d,
  )
  if (!incompatible || weighed.some(d => d.severity === 'error')) return weighed
  const hint = `have the source agent write version ${READ_VERSION}.0`
  return [...weighed, diagnostic(VERSION_RULE, 'this version cannot be read', hint)]
}

/** Returns errors that the baseline excuses for checks; they still refuse a context. */
function excusedByBaseline({ suppressed }: Received['report']): ReportedDiagnostic[] {
  return suppressed
    .filter(({ reason }) => reason === IN_BASELINE)
    .map(({ code, line }) => ({
      ...diagnostic(
        code,
        'the baseline excuses this error for checks only, not for accepting a context',
        'fix the context; run waybill explain with the code',
      ),
      line,
      endLine: line,
    }))
}

function diagnostic(code: string, message: string, hint: string): ReportedDiagnostic {
  const place = { path: '', line: 1, column: 1, endLine: 1, endColumn: 1 }
  return { code, severity: 'error', ...place, message, hint }
}
