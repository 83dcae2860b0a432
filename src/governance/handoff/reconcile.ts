import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { canonicalJson, type Receipt, type SeenLast, type Taken } from '../../ledger/index.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { PersonStanding } from '../people/person.ts'

/** What a person states about the prompt of an agent in quarantine. */
export interface Reconciliation {
  readonly agent: string
  readonly by: string
  readonly why: string
  /** Hex SHA-256 of the prompt as it was locked; null where it was not. */
  readonly old: string | null
  /** The same of the prompt file that the person has read, which is what is locked from now on. */
  readonly new: string
}

/** The words that a person signs: canonical JSON, so that anybody can write them again. */
export function reconciliationText(
  { agent, by, why, old, new: now }: Reconciliation,
  origin: string,
  at: number,
): string {
  const type = 'urn:waybill:statement:reconciliation'
  const text = canonicalJson({ type, origin, agent, by, why, old, new: now, at: formatInstant(at) })
  if (typeof text === 'string') return text
  throw new WaybillError('usage', `this cannot be signed: ${text.fault}`)
}

/**
 * Records that a person stands for the prompt of an agent, which lets the agent out of quarantine; only while that is as
 * it was seen: what somebody else has answered for, or what came since, this does not answer.
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
