import { listed } from '../../contract/index.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { claimsOf } from './claims.ts'
import type { Judgement } from './judge.ts'

/**
 * Records that hashes do not match or cannot be compared, and gives the agents that are in quarantine from now on.
 *
 * Two things put an agent into quarantine. A prompt file here that is not the locked one: that is seen here, whoever
 * sent the handoff. And a wrong hash in a handoff that its source agent has signed just now: then the source is kept
 * out, for it alone vouches for what the handoff says, about the target as well. What nobody vouches for, or what was
 * copied from an old handoff, is refused and recorded, and keeps nobody out: else whoever can write a file could
 * stop any agent by naming it. Nor does a locked prompt that cannot be read: once it is back, nothing was wrong.
 */
export async function recordMismatch(
  { handoff, attestation, mismatch, kept }: Judgement,
  gateway: Gateway,
  { isAuthentic }: { readonly isAuthentic: boolean },
): Promise<readonly string[]> {
  const { source, target, handoff: id } = claimsOf(handoff)
  if (!attestation || !source || !target || !id) return []
  const differs = mismatch.here.length > 0 || mismatch.stated
  if (!differs && mismatch.absent.length === 0) return []
  const accused = [...mismatch.here, ...(mismatch.stated && isAuthentic ? [source] : [])]
  const quarantined = [...new Set(accused)].filter(agent => !kept.includes(agent))
  // An agent that is kept out already is not accused again with each handoff that names it.
  if (accused.length > 0 && quarantined.length === 0) return []
  const hashes = attestation.agents
  await gateway.record('security-event', {
    subject: hashes.map(({ agent, expected, stated }) => ({
      name: agent,
      digest: { sha256: expected ?? stated },
    })),
    ids: { handoff: id },
    agents: [source, target],
    says: {
      event: differs ? 'hash-mismatch' : 'prompt-absent',
      from: source,
      to: target,
      quarantined,
      hashes,
      reason: reasonOf(mismatch),
    },
  })
  // Other processes see what a published checkpoint covers: nobody is to accept anything of the agent from now on.
  await gateway.log.covered()
  return quarantined
}

function reasonOf({ here, absent, stated }: Judgement['mismatch']): string {
  const what = [
    ...(absent.length > 0 ? [`the locked prompt of ${listed(absent)} cannot be read`] : []),
    ...(here.length > 0 ? ['its prompt file is not the one that is locked'] : []),
    ...(stated ? ['a handoff stated a prompt hash that is not the locked one'] : []),
  ]
  return what.join(', and ')
}
