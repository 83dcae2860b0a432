import { randomUUID } from 'node:crypto'
import type { Diagnostic } from '../../contract/index.ts'
import { type AgentHandoff, agentsOf, SIDES } from '../../contracts/index.ts'
import { formatInstant } from '../../document/index.ts'
import { attest, NOTHING } from '../handoff/evidence.ts'
import { finding } from '../handoff/finding.ts'
import type { GovernanceFiles } from '../handoff/governance-files.ts'

type Fields = Readonly<Record<string, unknown>>

/** What stands in a handoff before its entry in the log has a name. */
const NO_TRAIL = 'none'

/** A draft with everything added that it may leave out. */
export interface Completed {
  /** A handoff if the draft was sound; its `audit_trail` is still to come. */
  readonly value: unknown
  /** What the draft states that only a gateway can know. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Adds to a draft what it leaves out: id, time, versions and hashes of both agents, empty lists of the state, and the
 * attestation as it is computed. What the draft states stays as it is, and is checked like everything else.
 */
export function complete(draft: unknown, governanceFiles: GovernanceFiles, at: number): Completed {
  if (!isFields(draft)) return { value: draft, diagnostics: [] }
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
    context: completeContext(draft.context),
  }
  const governance = {
    ...attestedBy(value, governanceFiles),
    audit_trail: NO_TRAIL,
    ...(isFields(draft.governance) ? draft.governance : {}),
  }
  const isFaulty = draft.governance !== undefined && !isFields(draft.governance)
  return {
    // A part that is of the wrong type is for the contract to refuse, not to be replaced.
    value: inOrder({ ...value, governance: isFaulty ? draft.governance : governance }),
    diagnostics: isFields(draft.governance) ? trailFault(draft.governance) : [],
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

function completeContext(context: unknown): unknown {
  if (!isFields(context)) return context
  const { state = {} } = context
  if (!isFields(state)) return context
  const empty = { conversation_history: [], accumulated_context: {}, decisions_made: [] }
  return { ...context, state: { ...empty, ...state } }
}

function attestedBy(value: Fields, governanceFiles: GovernanceFiles): Fields {
  const [source, target] = SIDES.map(side => value[side])
  // Without both agents there is nothing to compute; the contract says what is missing.
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

/** What is computed of an agent that the manifest knows, and of two of them. */
const OF_AN_AGENT = ['agent_type', 'agent_version', 'prompt_hash']
const OF_BOTH = Object.keys(NOTHING).map(claim => `/governance/${claim}`)

/** What is wrong with a draft, without what it may leave out and only was not computed because an agent is not known. */
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
  if (audit_trail === undefined) return []
  return [
    finding(
      'gateway/draft-disagrees',
      "the draft states an 'audit_trail', which only the log can give",
      'leave it out: it will name the entry in the log',
      { path: '/governance/audit_trail' },
    ),
  ]
}

const ORDER = [
  ...['handoff_id', 'timestamp', 'protocol_version', 'source_agent', 'target_agent'],
  ...['context', 'governance'],
]

/** The parts in the order of the contract, for whoever reads the document. */
function inOrder(value: Fields): Fields {
  const rest = Object.keys(value).filter(key => !ORDER.includes(key))
  return Object.fromEntries(
    [...ORDER, ...rest].flatMap(key => (value[key] === undefined ? [] : [[key, value[key]]])),
  )
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
