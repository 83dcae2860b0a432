import { maskSecrets } from '../../document/index.ts'
import type { KeyChange } from '../keys/change.ts'
import type { Gateway } from './gateway.ts'

/** Records what became of keys: made, succeeded by others, or revoked. */
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
        // A reason is free text, and is recorded for good.
        ...(why !== undefined && { why: maskSecrets(why) }),
      },
    }),
  )
  await Promise.all(recording)
}
