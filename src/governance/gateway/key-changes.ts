import { maskSecrets } from '../../document/index.ts'
import type { KeyChange } from '../keys/change.ts'
import type { Gateway } from './gateway.ts'

/** Records that keys were created, rotated or revoked. */
export async function recordKeyChanges(
  gateway: Gateway,
  changes: readonly KeyChange[],
): Promise<void> {
  const recording = changes.map(({ change, holder, keyid, replaced, why }) =>
    gateway.record('key-change', {
      subject: [{ name: `${holder.kind} ${holder.name}`, digest: { sha256: keyid } }],
      agents: holder.kind === 'agent' ? [holder.name] : [],
      says: {
        change,
        holder,
        keyid,
        ...(replaced && { replaced }),
        // Free text, recorded permanently.
        ...(why !== undefined && { why: maskSecrets(why) }),
      },
    }),
  )
  await Promise.all(recording)
}
