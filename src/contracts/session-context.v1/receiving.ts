import { majorVersion, minorVersion } from '../../contract/index.ts'
import type { SessionContext } from './schema.ts'

type Finding = SessionContext['payload']['key_findings'][number]
type Blocker = NonNullable<SessionContext['payload']['blockers']>[number]

/** The version of session contexts that this release reads. */
export const READ_VERSION = '1.0'

/** How a version stands to the one that is read; only another major number is not compatible. */
export type Compatibility = 'same' | 'older' | 'newer' | 'incompatible'

/** Whether a context of a version can be read: by the table of versions, whatever has the same major number. */
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
 * Whether the findings of a context are put in order when it is received: between families, from a divergent agent to
 * a convergent one. An agent that does not state how it thinks is neither.
 */
export function isTranslated({ source_agent: from, target_agent: to }: SessionContext): boolean {
  if (from.family === to.family) return false
  return from.cognitive_mode === 'divergent' && to.cognitive_mode === 'convergent'
}

/** The context with its findings by severity, and among those of one severity what can be acted on first. */
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

/** What is not on the list stands behind it. */
function rank(list: readonly string[], word: string | undefined): number {
  const index = word === undefined ? -1 : list.indexOf(word)
  return index < 0 ? list.length : index
}

/** What blocks completion, the worst first. */
export function blockersOf({ payload }: SessionContext): Blocker[] {
  return (payload.blockers ?? []).toSorted(
    (a, b) => rank(SEVERITIES, a.severity) - rank(SEVERITIES, b.severity),
  )
}

/** A context of the current session that takes nothing over from another: it only says so. */
export function emptied(context: SessionContext, session: string, now: string): SessionContext {
  const { schema_version, source_agent, target_agent } = context
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
        reasoning: `Started fresh: what came from session ${context.session_id} was dropped.`,
      },
    },
  }
}
