import type { CedarValueJson, EntityJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs'
import type { Call } from './engine.ts'
import type { PolicyAction } from './policy.ts'

/** An agent as policies see it. */
export interface PolicyAgent {
  /** Its canonical id. */
  readonly id: string
  readonly type: 'domain' | 'archetype' | 'orchestrator'
  readonly version: string
  /** The parts that it plays in the mission; none outside of one. */
  readonly roles?: readonly string[]
}

/** A thing that is read or written, and how sensitive it is: a class that the mission contracts name. */
export interface PolicyResource {
  readonly id: string
  readonly sensitivity: string
}

/** What every request may say of its governanceFiles. */
export interface RequestFacts {
  /** Whether an agent concerned is kept out until a person has reconciled its prompt. */
  readonly quarantined: boolean
  /** Who has approved it. */
  readonly approvals?: readonly string[]
  readonly mission?: { readonly id: string; readonly risk: string }
}

/** What the rules have computed about a handoff; Cedar can neither hash nor count. */
export interface HandoffPolicyFacts extends RequestFacts {
  readonly sourceVerified: boolean
  readonly targetVerified: boolean
  readonly compositionValid: boolean
  readonly boundariesRespected: boolean
  /** Whether a trusted key of the source has signed it. */
  readonly signed: boolean
  /** Whether waybill.yaml takes bare documents of the source; not so when absent. */
  readonly unsignedAllowed?: boolean
  readonly fresh: boolean
  readonly replayed: boolean
  readonly requestType: string
  /** How many errors the rules have found. */
  readonly findings: number
  /** Whole seconds. */
  readonly ageSeconds: number
  readonly sensitivity?: string
}

/** Whether one agent may hand work to another. */
export interface HandoffRequest {
  readonly action: 'handoff'
  readonly source: PolicyAgent
  readonly target: PolicyAgent
  readonly facts: HandoffPolicyFacts
}

/** Whether an agent may use a tool. */
export interface ToolRequest {
  readonly action: 'useTool'
  readonly agent: PolicyAgent
  readonly tool: string
  /** `allowedTools`: those of the agent's task. */
  readonly facts: RequestFacts & { readonly allowedTools: readonly string[] }
}

/** Whether an agent may read data. */
export interface DataRequest {
  readonly action: 'readData'
  readonly agent: PolicyAgent
  readonly resource: PolicyResource
  /** `clearance`: the sensitivity class of the mission; without it only what is public is read. */
  readonly facts: RequestFacts & { readonly clearance?: string }
}

/** Whether an agent may write a result back. */
export interface WriteBackRequest {
  readonly action: 'writeBack'
  readonly agent: PolicyAgent
  readonly resource: PolicyResource
  /** `approved`: whether somebody other than its producer has approved exactly this proposal. */
  readonly facts: RequestFacts & { readonly approved: boolean }
}

/** Something that policies decide on. */
export type PolicyRequest = HandoffRequest | ToolRequest | DataRequest | WriteBackRequest

const uid = (type: string, id: string): TypeAndId => ({ type: `Waybill::${type}`, id })
const entity = (type: string, id: string) => ({ __entity: uid(type, id) })

const agentEntity = ({ id, type, version, roles = [] }: PolicyAgent): EntityJson => ({
  uid: uid('Agent', id),
  attrs: { type: entity('AgentType', type), version, roles: roles.map(r => entity('Role', r)) },
  parents: [],
})

const resourceEntity = ({ id, sensitivity }: PolicyResource): EntityJson => ({
  uid: uid('Resource', id),
  attrs: { sensitivity: entity('Sensitivity', sensitivity) },
  parents: [],
})

type Values = Readonly<Record<string, CedarValueJson>>

/** A request in the engine's words, with no entity but those that it names. */
export function callOf(request: PolicyRequest): Call {
  switch (request.action) {
    case 'handoff': {
      const { source, target, facts } = request
      const { requestType, sensitivity, unsignedAllowed = false, ...rest } = facts
      const own = { unsignedAllowed, requestType: entity('RequestType', requestType) }
      const more =
        sensitivity === undefined ? {} : { sensitivity: entity('Sensitivity', sensitivity) }
      return call(request.action, source, agentEntity(target), rest, { ...own, ...more })
    }
    case 'useTool': {
      const { agent, tool, facts } = request
      const { allowedTools, ...rest } = facts
      const own = { allowedTools: allowedTools.map(name => entity('Tool', name)) }
      return call(
        request.action,
        agent,
        { uid: uid('Tool', tool), attrs: {}, parents: [] },
        rest,
        own,
      )
    }
    case 'readData': {
      const { agent, resource, facts } = request
      const { clearance, ...rest } = facts
      const own = clearance === undefined ? {} : { clearance: entity('Sensitivity', clearance) }
      return call(request.action, agent, resourceEntity(resource), rest, own)
    }
    case 'writeBack':
      return call(
        request.action,
        request.agent,
        resourceEntity(request.resource),
        request.facts,
        {},
      )
    default:
      throw new TypeError('the action is none that policies decide on')
  }
}

/** What is said of no type here goes to the engine as it is, which refuses what the schema does not know. */
function call(
  action: PolicyAction,
  agent: PolicyAgent,
  resource: EntityJson,
  { mission, approvals = [], ...rest }: RequestFacts,
  own: Values,
): Call {
  const plain = rest as Values
  const context = {
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...own,
    approvals: [...approvals],
    ...(mission && { mission: entity('Mission', mission.id) }),
  }
  const entities = [agentEntity(agent)]
  const { type, id } = resource.uid as TypeAndId
  if (type !== 'Waybill::Agent' || id !== agent.id) entities.push(resource)
  if (mission) {
    const attrs = { risk: entity('Risk', mission.risk) }
    entities.push({ uid: uid('Mission', mission.id), attrs, parents: [] })
  }
  const request = {
    principal: uid('Agent', agent.id),
    action: uid('Action', action),
    resource: resource.uid,
    context,
    entities,
  }
  mustBeWellFormed(request)
  return request
}

const HALF_CHARACTER = /\p{Surrogate}/u

/** Half a character would be read as another one, and two ids as one. */
function mustBeWellFormed(request: Call): void {
  const pending: unknown[] = [request]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string' && HALF_CHARACTER.test(next))
      throw new TypeError('a text of the request holds half a character')
    if (typeof next === 'object' && next !== null) pending.push(...Object.values(next))
  }
}
