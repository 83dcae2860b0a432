import type { Diagnostic } from '../../contract/index.ts'
import type { Receipt } from '../../ledger/index.ts'
import type { Attestation } from '../entries/predicates.ts'
import type { Claims } from './claims.ts'

/** The result of sending or receiving a handoff; it is durable in the log before it is returned. */
export interface Passage {
  /** ISO 8601, gateway time. */
  readonly at: string
  readonly claims: Claims
  readonly attestation: Attestation | null
  readonly diagnostics: readonly Diagnostic[]
  /** The missing input, if the answer is `needs-input`. */
  readonly requirements: readonly string[]
  /** Agents that this handoff put in quarantine. */
  readonly quarantined: readonly string[]
  readonly receipt: Receipt
}
