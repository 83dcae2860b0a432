import { parseNote } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { LogEvent } from '../entries/predicates.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Fork } from './witness.ts'

const EVENTS = {
  'witness/forked': ['log-forked', 'does not extend'],
  // Anyone with a checkpoint can send it without a proof; that does not prove a fork.
  'witness/inconsistent': ['log-unproved', 'is not proved to extend'],
} as const satisfies Record<Fork['code'], readonly [LogEvent, string]>

/**
 * Records that a log showed two histories, or an unproved one, with both checkpoints; once per checkpoint. Returns the
 * index of the entry.
 */
export async function recordFork(
  { origin, code, cosigned, refused }: Fork,
  gateway: Gateway,
): Promise<number> {
  const note = parseNote(refused.note)
  const text = 'fault' in note ? refused.note : note.text
  const [event, what] = EVENTS[code]
  const sizes = `${cosigned.checkpoint.size} entries were cosigned, and ${refused.checkpoint.size} shown`
  const receipt = await gateway.record('security-event', {
    subject: [{ name: `checkpoint of ${origin}`, digest: { sha256: sha256(text) } }],
    says: {
      event,
      quarantined: [],
      hashes: [],
      reason: `${code}: the log ${origin} ${what} what was cosigned (${sizes})`,
      checkpoints: { cosigned: cosigned.note, refused: refused.note },
    },
  })
  return receipt.index
}
