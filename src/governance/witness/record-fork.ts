import { parseNote } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Fork } from './witness.ts'

/** Records that a log has shown two histories, with both; once for each checkpoint. Gives the index of the entry. */
export async function recordFork(
  { origin, code, cosigned, refused }: Fork,
  gateway: Gateway,
): Promise<number> {
  const note = parseNote(refused.note)
  const text = 'fault' in note ? refused.note : note.text
  const sizes = `${cosigned.checkpoint.size} entries were cosigned, and ${refused.checkpoint.size} shown`
  const receipt = await gateway.record('security-event', {
    subject: [{ name: `checkpoint of ${origin}`, digest: { sha256: sha256(text) } }],
    says: {
      event: 'log-forked',
      quarantined: [],
      hashes: [],
      reason: `${code}: the log ${origin} does not go on from what was cosigned (${sizes})`,
      checkpoints: { cosigned: cosigned.note, refused: refused.note },
    },
  })
  return receipt.index
}
