import type { CedarValueJson, EntityJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs'
import type { Call } from './engine.ts'
import type { PolicyAction } from './policy.ts'

/** An agent in a policy request. */
export interface PolicyAgent {
  /** Its canonical id. */
  readonly id: string
  readonly type: 'domain' | 'archetype' | 'orchestrator'
  readonly version: string
  /** Its roles in the mission; empty outside of one. */
  readonly roles?: readonly string[]
}

/** A resource and its sensitivity class, as named by the mission contracts. */
export interface PolicyResource {
  readonly id: string
  readonly sensitivity: string
}

/** Facts that every policy request carries. */
export interface RequestFacts {
  /** Whether an agent involved is in quarantine. */
  readonly quarantined: boolean
  /** The people who approved it. */
  readonly approvals?: readonly string[]
  readonly mission?: { readonly id: string; readonly risk: string }
}

/** The facts that rules computed about a handoff; Cedar can neither hash nor count. */
export interface HandoffPolicyFacts extends RequestFacts {
  readonly sourceVerified: boolean
  readonly targetVerified: boolean
  readonly compositionValid: boolean
  readonly boundariesRespected: boolean
  /** Whether a trusted key of the source signed it. */
  readonly signed: boolean
  /** Whether waybill.yaml accepts unsigned documents of the source (default: false). */
  readonly unsignedAllowed?: boolean
  readonly fresh: boolean
  readonly replayed: boolean
  readonly requestType: string
  /** The number of errors that the rules found. */
  readonly findings: number
  /** In whole seconds. */
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
  /** `clearance`: the mission's sensitivity class; without it only public data may be read. */
  readonly facts: RequestFacts & { readonly clearance?: string }
}

/** Whether an agent may write a result back. */
export interface WriteBackRequest {
  readonly action: 'writeBack'
  readonly agent: PolicyAgent
  readonly resource: PolicyResource
  /** `approved`: whether someone other than its producer approved exactly this proposal. */
  readonly facts: RequestFacts & { readonly approved: boolean }
}

/** A request that policies decide on. */
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

/** Converts a request to the engine's form, with only the entities it names. */
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
      throw new TypeError('policies do not decide on this action')
  }
}

/** Passes values of unknown types through; the engine refuses what the schema does not allow. */
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

/** The engine would replace an unpaired surrogate, which could make two ids equal. */
function mustBeWellFormed(request: Call): void {
  const pending: unknown[] = [request]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string' && HALF_CHARACTER.test(next))
      throw new TypeError('a text of the request has an unpaired surrogate')
    if (typeof next === 'object' && next !== null) pending.push(...Object.values(next))
  }
}
