import { listed, minorVersion, quote, type Rules } from '../../contract/index.ts'
import { forwardSlashes, relativePaths } from '../paths.ts'
import { noFutureTimes, standardTimes } from '../times.ts'
import { migrationBetween } from '../upgrades.ts'
import type { SessionContext } from './schema.ts'

/** Facts for the rules of a session context. */
export interface SessionContextFacts {
  /** Id of the session that receives the context. */
  readonly session: string
}

const NAME = 'session-context'
const MAJOR = '1'
/** The supported version; others with the same major number are compatible. */
const NEWEST = '1.0'
const DEEPEST = 1

/** The agent that produces each type of artifact. */
const PRODUCERS = new Map([
  ['requirement', 'nse-requirements'],
  ['risk', 'nse-risk'],
  ['architecture', 'nse-architecture'],
  ['verification', 'nse-verification'],
  ['review', 'nse-reviewer'],
  ['integration', 'nse-integration'],
  ['configuration', 'nse-configuration'],
  ['report', 'nse-reporter'],
  ['analysis', 'ps-analyst'],
  ['synthesis', 'ps-synthesizer'],
])

const LISTS_WITH_IDS = ['key_findings', 'open_questions', 'blockers'] as const

export const rules = {
  'compatible-version': {
    severity: 'error',
    summary: 'The version has the same major number as this contract.',
    why: 'Another major version has other keys or meanings, which a reader of this version would misunderstand.',
    reads: ['/schema_version'],
    *check({ schema_version }) {
      const major = schema_version.slice(0, schema_version.indexOf('.')).replace(/^0+(?=[0-9])/, '')
      if (major === MAJOR) return
      const migration = migrationBetween(NAME, minorVersion(schema_version) ?? '', NEWEST)
      const needed = `version ${quote(schema_version)} needs the migration from ${quote(`${major}.x`)} to '${MAJOR}.x'`
      yield {
        path: ['schema_version'],
        message: `${needed}, ${migration ? `which is ${migration}` : 'which does not exist'}`,
        hint: migration
          ? `run waybill upgrade on it with --to ${NEWEST}`
          : `have the source agent write ${MAJOR}.x, or read it with a release that supports its version`,
      }
    },
  },
  'session-matches': {
    severity: 'warning',
    summary: 'The context was written in the session that receives it.',
    why: 'The content of another session may be outdated.',
    phase: 'receive',
    reads: ['/session_id'],
    needs: ['session'],
    *check({ session_id }, { facts }) {
      if (facts.session === undefined || facts.session === session_id) return
      yield {
        path: ['session_id'],
        message: `the context is of session ${quote(session_id)}, but this is session ${quote(facts.session)}`,
        hint: 'request a fresh context, start without one, or accept it knowing that it may be stale',
      }
    },
  },
  'no-future-times': noFutureTimes('/timestamp'),
  'standard-times': standardTimes('/timestamp'),
  'agent-id-names-family': {
    severity: 'error',
    summary: "An agent's id begins with its family.",
    why: 'The family decides how the receiver translates the context; two families for one agent are ambiguous.',
    reads: ['/source_agent/id', '/source_agent/family', '/target_agent/id', '/target_agent/family'],
    *check(context) {
      for (const key of ['source_agent', 'target_agent'] as const) {
        const { id, family } = context[key]
        if (id.startsWith(`${family}-`)) continue
        const named = id.slice(0, id.indexOf('-'))
        yield {
          path: [key, 'family'],
          message: `${quote(id)} is of family ${quote(named)}, not ${quote(family)}`,
          hint: `write ${quote(named)}, or correct the id`,
        }
      }
    },
  },
  'depth-at-most-one': {
    severity: 'error',
    summary: 'The depth of the trace is at most 1.',
    why: 'At depth 0 an orchestrator calls a worker, at 1 a worker calls a worker; deeper calls have no oversight.',
    reads: ['/trace/depth'],
    *check({ trace }) {
      if (trace?.depth === undefined || trace.depth <= DEEPEST) return
      yield {
        path: ['trace', 'depth'],
        message: `depth ${trace.depth} means that workers start workers`,
        hint: 'have the orchestrator start the target agent',
      }
    },
  },
  'cross-family-has-context': {
    severity: 'warning',
    summary: 'A handoff to another family includes the domain context.',
    why: 'The other family lacks the knowledge that the source agent takes for granted.',
    reads: ['/source_agent/family', '/target_agent/family', '/payload/context'],
    *check({ source_agent, target_agent, payload }) {
      if (source_agent.family === target_agent.family) return
      if (payload.context && Object.keys(payload.context).length > 0) return
      yield {
        path: ['payload', 'context'],
        message: `a handoff from ${source_agent.family} to ${target_agent.family} has no domain context`,
        hint: `add a 'context' to the payload with what the family ${target_agent.family} needs to know`,
      }
    },
  },
  'nse-has-traceability': {
    severity: 'warning',
    summary: 'Every finding for an agent of the family nse has traceability.',
    why: 'Systems engineering traces every requirement and risk; a finding without traceability cannot be traced.',
    reads: ['/target_agent/family', '/payload/key_findings'],
    *check({ target_agent, payload }) {
      if (target_agent.family !== 'nse') return
      for (const [i, { id, traceability }] of payload.key_findings.entries()) {
        if (traceability && traceability.length > 0) continue
        yield {
          path: ['payload', 'key_findings', i, 'traceability'],
          message: `the finding ${quote(id)} has no traceability, but its reader is of the family nse`,
          hint: "add 'traceability' with its requirements, risks, trade studies or interfaces, such as REQ-SYS-042",
        }
      }
    },
  },
  'unique-ids': {
    severity: 'warning',
    summary: 'The ids of findings, questions and blockers are unique.',
    why: 'An answer that names a duplicate id is ambiguous.',
    reads: LISTS_WITH_IDS.map(list => `/payload/${list}/*/id`),
    *check({ payload }) {
      const first = new Map<string, { readonly list: string; readonly i: number }>()
      for (const list of LISTS_WITH_IDS) {
        for (const [i, { id }] of (payload[list] ?? []).entries()) {
          const seen = first.get(id)
          if (!seen) first.set(id, { list, i })
          else {
            yield {
              path: ['payload', list, i, 'id'],
              message: `the id ${quote(id)} is not unique: entry ${seen.i + 1} of ${seen.list} has it too`,
              hint: 'give one of them the next free number',
            }
          }
        }
      }
    },
  },
  'relative-paths': relativePaths('/payload/artifacts/*/path'),
  'forward-slashes': forwardSlashes('/payload/artifacts/*/path'),
  'type-fits-producer': {
    severity: 'warning',
    summary: "An artifact's type is one that the source agent produces.",
    why: 'The type tells the reader how to use the file; a wrong one misleads.',
    reads: ['/source_agent/id', '/payload/artifacts/*/type'],
    *check({ source_agent, payload }) {
      for (const [i, { type }] of (payload.artifacts ?? []).entries()) {
        const producer = PRODUCERS.get(type)
        if (producer === undefined || producer === source_agent.id) continue
        const own = [...PRODUCERS].filter(([, agent]) => agent === source_agent.id).map(([t]) => t)
        yield {
          path: ['payload', 'artifacts', i, 'type'],
          message: `an artifact of type ${quote(type)} comes from ${producer}, but this context comes from ${source_agent.id}`,
          hint:
            own.length > 0
              ? `write ${quote(listed(own, 'or'))}, or have ${producer} hand the file over`
              : `have ${producer} hand the file over, or keep the type if it fits best`,
        }
      }
    },
  },
} satisfies Rules<SessionContext, SessionContextFacts>
