import { quote } from '../contract/index.ts'
import type { Agent, Agents, AgentType } from './agents.ts'

/** Whether one agent may hand over to another; if not, the rule that forbids it and the agents to use instead. */
export type BoundaryDecision =
  | { readonly allowed: true }
  | {
      readonly allowed: false
      readonly rule: string
      readonly nearest?: Suggestion
      /** An orchestrator, which may hand over between any two agents. */
      readonly mediator?: Agent
    }

/** The agent to hand over to instead. */
export interface Suggestion {
  readonly agent: Agent
  /** Why this agent, as a clause after "because". */
  readonly reason: string
}

const RULES: Record<AgentType, string> = {
  domain:
    "a domain may hand over to the agents in its 'hands_to', any archetype and any orchestrator",
  archetype:
    "an archetype may hand over to its constituents, the agents in its 'hands_to' and any orchestrator",
  orchestrator: 'an orchestrator may hand over to every other agent',
}

/** Decides whether a handoff respects the boundaries; `request` is its text, used for suggestions. */
export function decideBoundary(
  source: Agent,
  target: Agent,
  agents: Agents,
  request: string,
): BoundaryDecision {
  if (reaches(source, target)) return { allowed: true }
  const permitted = agents.all.filter(
    agent => reaches(source, agent) && agents.find(agent.id) === agent,
  )
  const mediator = permitted.find(({ type }) => type === 'orchestrator')
  const nearest =
    byTopic(source, target, agents, request) ??
    byComposition(source, target, permitted) ??
    byScope(target, permitted, request) ??
    (mediator && { agent: mediator, reason: 'it may hand over between any two agents' })
  return {
    allowed: false,
    rule: RULES[source.type],
    ...(nearest && { nearest }),
    ...(mediator && { mediator }),
  }
}

/** Any agent may hand over to an orchestrator; all other permissions are one-way. */
function reaches(source: Agent, target: Agent): boolean {
  if (source.id === target.id) return false
  if (source.type === 'orchestrator' || target.type === 'orchestrator') return true
  if (source.handsTo.has(target.id)) return true
  return source.type === 'domain'
    ? target.type === 'archetype'
    : target.type === 'domain' && source.composition.has(target.id)
}

function byTopic(
  source: Agent,
  target: Agent,
  agents: Agents,
  request: string,
): Suggestion | undefined {
  const wanted = new Set([...stems(request), ...scopeOf(target)])
  const best = highest(source.collaboration.out_of_scope ?? [], ({ topic, redirect }) => {
    const agent = agents.find(redirect)
    return agent && reaches(source, agent) ? shared(stems(topic), wanted) : 0
  })
  const agent = best && agents.find(best.redirect)
  return agent && { agent, reason: `${quote(source.id)} redirects ${quote(best.topic)} to it` }
}

function byComposition(
  source: Agent,
  target: Agent,
  permitted: readonly Agent[],
): Suggestion | undefined {
  // Of equals, prefer the archetype that the source is part of.
  const part = (agent: Agent) =>
    (agent.composition.get(target.id) ?? target.composition.get(agent.id) ?? 0) * 2 +
    (agent.composition.has(target.id) && agent.composition.has(source.id) ? 1 : 0)
  const agent = highest(permitted, part)
  if (!agent) return undefined
  const percent = agent.composition.get(target.id)
  const reason =
    percent === undefined
      ? `it is ${target.composition.get(agent.id)} percent of ${quote(target.id)}`
      : `${quote(target.id)} is ${percent} percent of it`
  return { agent, reason }
}

function byScope(
  target: Agent,
  permitted: readonly Agent[],
  request: string,
): Suggestion | undefined {
  const wanted = new Set([...stems(request), ...scopeOf(target)])
  const agent = highest(permitted, one => shared(scopeOf(one), wanted))
  return agent && { agent, reason: 'its scope shares the most words with the request' }
}

/** The first item with the highest score above zero. */
function highest<T>(items: readonly T[], score: (item: T) => number): T | undefined {
  let best: T | undefined
  let most = 0
  for (const item of items) {
    const points = score(item)
    if (points > most) {
      best = item
      most = points
    }
  }
  return best
}

/** Five letters distinguish most words and match their forms: analysis, analyse, analytic. */
const STEM = 5
const FILLERS = new Set('and are for from has its not the this that with what'.split(' '))

function stems(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return new Set(words.filter(word => !FILLERS.has(word)).map(word => word.slice(0, STEM)))
}

const scopes = new WeakMap<Agent, ReadonlySet<string>>()

/** The words of an agent's name and scope; cached, since a manifest serves many handoffs. */
function scopeOf(agent: Agent): ReadonlySet<string> {
  const known = scopes.get(agent)
  if (known) return known
  const words = stems(`${agent.name} ${agent.about}`)
  scopes.set(agent, words)
  return words
}

function shared(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let count = 0
  for (const word of some) if (others.has(word)) count++
  return count
}
