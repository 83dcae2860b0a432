import type { Diagnostic } from '../../contract/index.ts'
import type { Receipt } from '../../ledger/index.ts'
import type { Attestation } from '../entries/predicates.ts'
import type { Claims } from './claims.ts'

/** What came of a handoff that went through a gateway, out or in; it is durable in the log before anybody sees it. */
export interface Passage {
  /** ISO 8601, gateway time. */
  readonly at: string
  readonly claims: Claims
  readonly attestation: Attestation | null
  readonly diagnostics: readonly Diagnostic[]
  /** What is missing, for an answer that asks for it. */
  readonly requirements: readonly string[]
  /** Agents that are in quarantine since this handoff. */
  readonly quarantined: readonly string[]
  readonly receipt: Receipt
}
