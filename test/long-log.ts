import { openGateway } from '../src/governance/index.ts'
import { decodeBundle, tileAt } from '../src/ledger/index.ts'
import { loadConfig } from '../src/workspace/index.ts'
import type { GovernedRepository } from './governed-repository.ts'

const AT_ONCE = 2000

/** Makes a log of many entries: a refusal that was recorded once, appended again and again. */
export async function makeLongLog({ root }: GovernedRepository, count: number): Promise<void> {
  const gateway = await openGateway(root, await loadConfig(root), { now: () => Date.now() })
  try {
    const bytes = 'ab'.repeat(32)
    const receipt = await gateway.record('handoff-rejected', {
      subject: [{ name: 'document', digest: { sha256: bytes } }],
      agents: ['domain-05-product'],
      says: {
        bytes,
        attestation: null,
        found: [{ code: 'gateway/no-handoff', severity: 'error' }],
        stage: 'receive',
      },
    })
    const { log } = gateway
    await log.covered()
    const content = (await log.content(receipt.index)) ?? ''
    const leaves = decodeBundle(await log.tile(tileAt('entries', 0, await log.size())))
    const draft = {
      leaf: leaves?.[receipt.index] ?? new Uint8Array(),
      content,
      digest: receipt.digest,
      keys: { unique: [], also: [] },
    }
    for (let left = count - 1; left > 0; left -= AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, left) }, () => gateway.log.append(draft)),
      )
  } finally {
    await gateway.close()
  }
}
