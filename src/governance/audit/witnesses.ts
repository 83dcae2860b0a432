import type { WitnessPolicy } from '../../ledger/index.ts'
import { isMet, witnessesOf } from '../witness/gather.ts'
import type { TrustedCheckpoint } from './checkpoint.ts'
import type { AuditedWitnesses, Faults } from './report.ts'

/** The witnesses to check for. */
export interface WantedWitnesses {
  readonly policy: WitnessPolicy
  /** Whether a missing quorum is an error or a warning. */
  readonly required: boolean
}

/** Verifies the cosignatures of a checkpoint against the quorum of a policy. */
export async function auditWitnesses(
  opened: TrustedCheckpoint,
  { policy, required }: WantedWitnesses,
  faults: Faults,
): Promise<AuditedWitnesses> {
  const { origin, size } = opened.checkpoint
  const witnesses = await witnessesOf(opened, policy)
  const by = witnesses.flatMap(({ name, time }) => (time === undefined ? [] : [{ name, time }]))
  const isNamed = policy.logs.length === 0 || policy.logs.some(({ key }) => key.name === origin)
  const met = isMet(policy, witnesses) && (isNamed || !required)
  if (!met) {
    const who = by.length === 0 ? 'no witness' : by.map(({ name }) => name).join(', ')
    const why = isNamed
      ? `the quorum '${policy.quorum}' is not met: ${who} has cosigned ${size} entries`
      : `the policy is for other logs, not for ${origin}`
    const code = required ? 'ledger/quorum-not-met' : 'ledger/not-witnessed'
    faults.add(code, why, { file: 'checkpoint' })
  }
  return { quorum: policy.quorum, met, by }
}
