import { majorVersion, minorVersion } from '../../contract/index.ts'
import { listOf, missingRules } from '../constraints.ts'
import type { SessionContext } from './schema.ts'

type Finding = SessionContext['payload']['key_findings'][number]
type Blocker = NonNullable<SessionContext['payload']['blockers']>[number]

/** The version of session contexts that this release reads. */
export const READ_VERSION = '1.0'

/** How a version relates to the supported one; only another major version is incompatible. */
export type Compatibility = 'same' | 'older' | 'newer' | 'incompatible'

/** Whether a context of a version can be read: any version with the same major number. */
export function compatibilityOf(schemaVersion: string): Compatibility {
  const version = minorVersion(schemaVersion)
  if (version === undefined || majorVersion(version) !== majorVersion(READ_VERSION))
    return 'incompatible'
  const [stated, read] = [version, READ_VERSION].map(v => Number(v.split('.')[1]))
  if (stated === read) return 'same'
  return Number(stated) < Number(read) ? 'older' : 'newer'
}

const SEVERITIES = ['critical', 'high', 'medium', 'low']
const CATEGORIES = ['requirement', 'decision', 'recommendation']

/**
 * Whether the findings of a context are sorted on receipt: between families, from a divergent to a convergent agent. An
 * agent that does not state how it thinks is neither.
 */
export function isTranslated({ source_agent: from, target_agent: to }: SessionContext): boolean {
  if (from.family === to.family) return false
  return from.cognitive_mode === 'divergent' && to.cognitive_mode === 'convergent'
}

/** The context with its findings by severity, and actionable ones first within a severity. */
export function translated(context: SessionContext): SessionContext {
  const { payload } = context
  return { ...context, payload: { ...payload, key_findings: inOrder(payload.key_findings) } }
}

function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) =>
      rank(SEVERITIES, a.severity) - rank(SEVERITIES, b.severity) ||
      rank(CATEGORIES, a.category) - rank(CATEGORIES, b.category),
  )
}

/** Unlisted values come last. */
function rank(list: readonly string[], word: string | undefined): number {
  const index = word === undefined ? -1 : list.indexOf(word)
  return index < 0 ? list.length : index
}

/** What blocks completion, worst first. */
export function blockersOf({ payload }: SessionContext): Blocker[] {
  return (payload.blockers ?? []).toSorted(
    (a, b) => rank(SEVERITIES, a.severity) - rank(SEVERITIES, b.severity),
  )
}

/** The context with the standing rules that it does not hold yet, after its own constraints. */
export function withRules(context: SessionContext, rules: readonly string[]): SessionContext {
  const { payload } = context
  const own = payload.context?.constraints
  const missing = missingRules(own, rules)
  if (missing.length === 0) return context
  const constraints = [...listOf(own), ...missing]
  return { ...context, payload: { ...payload, context: { ...payload.context, constraints } } }
}

/** A context of the current session that takes over only the constraints, with a note that says so. */
export function emptied(context: SessionContext, session: string, now: string): SessionContext {
  const { schema_version, source_agent, target_agent, payload } = context
  const constraints = payload.context?.constraints
  const kept = constraints === undefined ? undefined : { constraints }
  return {
    schema_version,
    session_id: session,
    source_agent,
    target_agent,
    timestamp: now,
    payload: {
      key_findings: [],
      confidence: {
        overall: 0,
        reasoning: `Started fresh: the context of session ${context.session_id} was dropped${kept ? ', except its constraints' : ''}.`,
      },
      ...(kept && { context: kept }),
    },
  }
}
