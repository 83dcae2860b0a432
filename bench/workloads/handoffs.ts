import { decode } from '../../src/document/index.ts'
import { type DecisionContext, readHandoff, send } from '../../src/governance/index.ts'
import { sha256 } from '../../src/workspace/index.ts'
import { draftOf } from '../../test/governed-repository.ts'

/** A handoff as its sender has written it: the document's bytes and its signed envelope. */
export interface SentHandoff {
  readonly id: string
  readonly bytes: Buffer
  readonly envelope: string
}

/** Sends so many handoffs of 1.3 KB from one agent to another that may take them. */
export async function sendHandoffs(
  count: number,
  decisionContext: () => Promise<DecisionContext>,
): Promise<SentHandoff[]> {
  const text = JSON.stringify(draftOf('domain-05-product', 'domain-02-analysis'))
  return Promise.all(
    Array.from({ length: count }, async () => {
      const read = await readHandoff(decode(Buffer.from(text)), 'json')
      const draft = { read, bytes: sha256(text), previous: undefined }
      const { made, diagnostics } = await send(draft, await decisionContext())
      if (!made) throw new Error(diagnostics[0]?.message ?? 'the handoff cannot be sent')
      const { handoff, envelope } = made
      return {
        id: handoff.handoff_id,
        bytes: Buffer.from(JSON.stringify(handoff, null, 2)),
        envelope,
      }
    }),
  )
}
