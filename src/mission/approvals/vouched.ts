import { listed } from '../../contract/index.ts'
import { type Gateway, isByGateway } from '../../governance/index.ts'
import type { StoredDecision } from '../../store/index.ts'
import { differencesFrom, entryOf, partAt } from '../replay/decision.ts'
import { evidenceOf } from '../replay/evidence.ts'
import type { Which } from './proposal.ts'
import { decisionId } from './record.ts'
import { failed, retried, type Sent } from './webhook.ts'

const NOT_APPROVED = 'writeback/not-approved'

/**
 * Why an approval must not take effect; undefined when a log entry signed by the gateway confirms it. Write access to
 * the database alone approves nothing.
 */
export async function whyNotVouched(
  which: Which,
  decision: StoredDecision,
  gateway: Gateway,
): Promise<Sent | undefined> {
  if (decision.standing === 'claimed' && gateway.config.people !== 'claimed')
    return failed(
      NOT_APPROVED,
      'it was approved by name only, but waybill.yaml now requires signatures',
    )
  const found = await entryOf(decision, evidenceOf(gateway.log))
  if (!found) return failed(NOT_APPROVED, 'the log has no entry for its approval')
  const { index, entry } = found
  if (entry.is !== 'entry')
    return failed(NOT_APPROVED, `entry ${index} of the log no longer shows who approved it`)
  const { by, decidedAt, expiresAt } = decision
  const members = differencesFrom(found, {
    ...{ ...decision, mission: which.mission, decidedBy: by },
    ...{ decidedAt: decidedAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null },
  })
  const { decision: id } = partAt(entry.statement.predicate, 'ids')
  const others = id === decisionId(which) ? members : ['ids', ...members]
  if (others.length > 0)
    return failed(NOT_APPROVED, `entry ${index} of the log differs in ${listed(others)}`)
  // Retried: a restarted worker may know the gateway's new key.
  return isByGateway(entry, gateway)
    ? undefined
    : retried(NOT_APPROVED, `no known key of the gateway has signed entry ${index} of the log`)
}
