import type { Files, Found } from '../../contract/index.ts'
import type { Lock, Manifest } from '../agents.ts'

/** Facts for the rules of agent handoffs. */
export interface AgentHandoffFacts {
  readonly manifest: Found<Manifest>
  readonly lock: Found<Lock>
  readonly files: Files
  /** When the receiver got the handoff, as a timestamp. */
  readonly received: { readonly at: string }
  /** Where a handoff with this id was recorded, or null. */
  readonly replay: { readonly seen: string | null }
  /** The ids of agents in quarantine until a person reconciles their prompts. */
  readonly quarantine: Readonly<Record<string, { readonly since: string; readonly reason: string }>>
}
