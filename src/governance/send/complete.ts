import { randomUUID } from 'node:crypto'
import type { Diagnostic } from '../../contract/index.ts'
import { type AgentHandoff, agentsOf, missingRules, SIDES } from '../../contracts/index.ts'
import { formatInstant } from '../../document/index.ts'
import { attest, NOTHING } from '../handoff/evidence.ts'
import { finding } from '../handoff/finding.ts'
import type { GovernanceFiles } from '../handoff/governance-files.ts'

type Fields = Readonly<Record<string, unknown>>

/** The state of a handoff that passes no earlier work on. */
export const EMPTY_STATE = { conversation_history: [], accumulated_context: {}, decisions_made: [] }

/** The audit trail of a handoff before its entry has a name. */
export const NO_TRAIL = 'none'

/** A draft with its optional fields filled in. */
export interface Completed {
  /** A handoff if the draft was valid; its `audit_trail` is set later. */
  readonly value: unknown
  /** Diagnostics of fields that only a gateway may set. */
  readonly diagnostics: readonly Diagnostic[]
  /** How many standing rules were added to the constraints. */
  readonly rulesAdded: number
}

/** What a draft is completed with. */
interface Completion {
  readonly at: number
  /** The standing rules in force. */
  readonly rules: readonly string[]
}

/**
 * Fills in what a draft leaves out: id, time, versions and hashes of both agents, empty lists of the state, standing
 * rules after its constraints, and the computed attestation. Fields of the draft stay unchanged and are checked like all
 * others.
 */
export function complete(
  draft: unknown,
  governanceFiles: GovernanceFiles,
  { at, rules }: Completion,
): Completed {
  if (!isFields(draft)) return { value: draft, diagnostics: [], rulesAdded: 0 }
  const added = rulesFor(draft.context, rules)
  const [source_agent, target_agent] = SIDES.map(side =>
    completeAgent(draft[side], governanceFiles),
  )
  const value = {
    handoff_id: randomUUID(),
    timestamp: formatInstant(at),
    protocol_version: '1.0.0',
    ...draft,
    source_agent,
    target_agent,
    context: completeContext(draft.context, added),
  }
  const governance = {
    ...attestedBy(value, governanceFiles),
    audit_trail: NO_TRAIL,
    ...(isFields(draft.governance) ? draft.governance : {}),
  }
  const isFaulty = draft.governance !== undefined && !isFields(draft.governance)
  return {
    // Do not replace a part of the wrong type; the contract reports it.
    value: inOrder({ ...value, governance: isFaulty ? draft.governance : governance }),
    diagnostics: isFields(draft.governance) ? trailFault(draft.governance) : [],
    rulesAdded: added.length,
  }
}

function completeAgent(stated: unknown, { manifest, lock }: GovernanceFiles): unknown {
  if (!isFields(stated) || 'missing' in manifest || 'missing' in lock) return stated
  const { agent_id: id } = stated
  const agent = typeof id === 'string' ? agentsOf(manifest.value).find(id) : undefined
  if (!agent) return stated
  const { prompts } = lock.value
  const entry = Object.hasOwn(prompts, agent.id) ? prompts[agent.id] : undefined
  return {
    agent_type: agent.type,
    agent_id: agent.id,
    agent_version: agent.version,
    ...(entry && { prompt_hash: entry.hash }),
    ...stated,
  }
}

/** The rules that the request lacks; none where it has no list, since the contract reports that. */
function rulesFor(context: unknown, rules: readonly string[]): readonly string[] {
  const constraints = constraintsOf(context)
  return constraints ? missingRules(constraints, rules) : []
}

function constraintsOf(context: unknown): readonly unknown[] | undefined {
  const request = isFields(context) ? context.request : undefined
  const constraints = isFields(request) ? request.constraints : undefined
  return Array.isArray(constraints) ? constraints : undefined
}

function completeContext(context: unknown, rules: readonly string[]): unknown {
  if (!isFields(context)) return context
  const { state = {}, request } = context
  const own = constraintsOf(context)
  const asked =
    own && isFields(request) ? { request: { ...request, constraints: [...own, ...rules] } } : {}
  return { ...context, ...asked, ...(isFields(state) && { state: { ...EMPTY_STATE, ...state } }) }
}

function attestedBy(value: Fields, governanceFiles: GovernanceFiles): Fields {
  const [source, target] = SIDES.map(side => value[side])
  // Without both agents nothing can be computed; the contract reports what is missing.
  return isAgent(source) && isAgent(target)
    ? { ...attest({ source_agent: source, target_agent: target }, governanceFiles) }
    : {}
}

function isAgent(value: unknown): value is AgentHandoff['source_agent'] {
  return (
    isFields(value) &&
    ['agent_type', 'agent_id', 'agent_version', 'prompt_hash'].every(
      key => typeof value[key] === 'string',
    )
  )
}

/** The fields computed for one agent of the manifest, and for two. */
const OF_AN_AGENT = ['agent_type', 'agent_version', 'prompt_hash']
const OF_BOTH = Object.keys(NOTHING).map(claim => `/governance/${claim}`)

/** The errors of a draft, without missing fields that were not computed only because an agent is unknown. */
export function withoutConsequences(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const unknown = SIDES.filter(side =>
    diagnostics.some(({ severity, path }) => severity === 'error' && path === `/${side}/agent_id`),
  )
  if (unknown.length === 0) return diagnostics
  const ofAgents = unknown.flatMap(side => OF_AN_AGENT.map(key => `/${side}/${key}`))
  const computed = new Set([...ofAgents, ...OF_BOTH])
  return diagnostics.filter(({ code, path }) => code !== 'schema/required' || !computed.has(path))
}

function trailFault({ audit_trail }: Fields): Diagnostic[] {
  if (audit_trail === undefined || audit_trail === NO_TRAIL) return []
  return [
    finding(
      'gateway/draft-disagrees',
      "the draft has an 'audit_trail', which only the log can set",
      'remove it: it will name the entry in the log',
      { path: '/governance/audit_trail' },
    ),
  ]
}

const ORDER = [
  ...['handoff_id', 'timestamp', 'protocol_version', 'source_agent', 'target_agent'],
  ...['context', 'governance'],
]

/** The parts in contract order, for readers of the document. */
function inOrder(value: Fields): Fields {
  const rest = Object.keys(value).filter(key => !ORDER.includes(key))
  return Object.fromEntries(
    [...ORDER, ...rest].flatMap(key => (value[key] === undefined ? [] : [[key, value[key]]])),
  )
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
