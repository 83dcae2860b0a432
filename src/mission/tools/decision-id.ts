import type { PolicyAgent } from '../../governance/index.ts'
import { sha256 } from '../../workspace/index.ts'

/** The kind of a decision's subject. */
export type Kind = 'tool' | 'data'

/** The subject of a decision. */
interface About {
  readonly kind: Kind
  readonly name: string
  readonly agent: Pick<PolicyAgent, 'id' | 'roles'>
  /** All tools of the task; empty for data. */
  readonly tools: readonly string[]
}

/** Identifies a decision within a mission. */
export function keyOf({ kind, name, agent: { id, roles = [] }, tools }: About): string {
  return JSON.stringify([kind, name, id, roles, tools])
}

/** Returns the id of a decision, which derives from its subject. */
export function decisionId(mission: string, about: About): string {
  return `pol_${about.kind}_${sha256(JSON.stringify([mission, keyOf(about)])).slice(0, 32)}`
}

/** The tools of a task in the form used by decisions. */
export function toolsOf(allowed: readonly string[]): string[] {
  return [...new Set(allowed)].sort()
}
