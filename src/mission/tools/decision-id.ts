import type { PolicyAgent } from '../../governance/index.ts'
import { sha256 } from '../../workspace/index.ts'

/** What sort of thing is decided on. */
export type Kind = 'tool' | 'data'

/** What a decision on a tool or a data scope is about. */
interface About {
  readonly kind: Kind
  readonly name: string
  readonly agent: Pick<PolicyAgent, 'id' | 'roles'>
  /** The tools that the tool is among; none for data. */
  readonly tools: readonly string[]
}

/** What tells one decision of a mission from another. */
export function keyOf({ kind, name, agent: { id, roles = [] }, tools }: About): string {
  return JSON.stringify([kind, name, id, roles, tools])
}

/** The id of the decision on a tool or a data scope: whoever knows what it is about finds it by that. */
export function decisionId(mission: string, about: About): string {
  return `pol_${about.kind}_${sha256(JSON.stringify([mission, keyOf(about)])).slice(0, 32)}`
}

/** The tools of a task as decisions on them know them. */
export function toolsOf(allowed: readonly string[]): string[] {
  return [...new Set(allowed)].sort()
}
