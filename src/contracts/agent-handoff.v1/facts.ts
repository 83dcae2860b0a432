import type { Files, Found } from '../../contract/index.ts'
import type { Lock, Manifest } from '../agents.ts'

/** What the rules of agent handoffs ask of the world. */
export interface AgentHandoffFacts {
  readonly manifest: Found<Manifest>
  readonly lock: Found<Lock>
  readonly files: Files
  /** When the receiver got the handoff, as a timestamp. */
  readonly received: { readonly at: string }
  /** Where a handoff with this id was recorded before, or null. */
  readonly replay: { readonly seen: string | null }
  /** The agents that are kept out until a person has reconciled their prompts, by their ids. */
  readonly quarantine: Readonly<Record<string, { readonly since: string; readonly reason: string }>>
}
