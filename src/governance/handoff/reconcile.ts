import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { canonicalJson, type Receipt, type SeenLast, type Taken } from '../../ledger/index.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { PersonStanding } from '../people/person.ts'

/** A person's statement about the prompt of an agent in quarantine. */
export interface Reconciliation {
  readonly agent: string
  readonly by: string
  readonly why: string
  /** Hex SHA-256 of the locked prompt; null if it was not locked. */
  readonly old: string | null
  /** Hex SHA-256 of the prompt file that the person reviewed, which is locked from now on. */
  readonly new: string
}

/** The bytes that a person signs: canonical JSON, so that anyone can reproduce them. */
export function reconciliationText(
  { agent, by, why, old, new: now }: Reconciliation,
  origin: string,
  at: number,
): string {
  const type = 'urn:waybill:statement:reconciliation'
  const text = canonicalJson({ type, origin, agent, by, why, old, new: now, at: formatInstant(at) })
  if (typeof text === 'string') return text
  throw new WaybillError('usage', `cannot sign this: ${text.fault}`)
}

/**
 * Records that a person vouches for an agent's prompt, which ends its quarantine. Fails if a newer event or
 * reconciliation was recorded since the person looked.
 */
export async function recordReconciliation(
  { agent, why, old, new: now }: Reconciliation,
  person: PersonStanding,
  stated: string,
  { gateway, seen }: { readonly gateway: Gateway; readonly seen: readonly SeenLast[] },
): Promise<Receipt | Taken> {
  const { by, standing } = person
  return gateway.record('reconciliation', {
    subject: [{ name: agent, digest: { sha256: now } }],
    agents: [agent],
    says: {
      ...{ agent, why, old, new: now, by, standing, stated },
      ...(person.standing === 'proved' && { proof: person.proof }),
    },
    seen,
  })
}
