import type { CodeMeaning } from '../../contract/index.ts'
import { error, warning } from '../code.ts'

const THEIRS =
  'Ask the operator of that witness; if it persists, remove the witness from the policy file.'
const FORK =
  'Stop writing to this log, keep every copy of it, and find out which copy others have seen: run waybill log verify and compare their entries.'

/** Faults between a log and a witness, on either side. */
export const WITNESS_CODES = {
  'witness/no-url': error(
    'Every witness to query has a URL in the policy file.',
    'A witness without a URL cannot be queried.',
    'Add its URL after its key, or have it cosign a file: waybill log prove --from here, then waybill log witness --cosign there.',
  ),
  'witness/insecure-url': error(
    'The URL of a witness uses https:, or points to this machine or a private network.',
    'Otherwise a network attacker could read, block or forge the exchange.',
    'Use its https: URL.',
  ),
  'witness/unreachable': error(
    'A witness is reachable.',
    'A witness that does not answer cannot cosign.',
    'Check its URL in the policy file and the network, and try again later.',
  ),
  'witness/timeout': error(
    'A witness answers within ten seconds.',
    'A request must not wait forever.',
    'Try again later.',
  ),
  'witness/redirected': error(
    'A witness answers at its URL in the policy file, without a redirect.',
    'Following a redirect would let others choose which host this machine contacts.',
    'If it has moved, set its new URL in the policy file.',
  ),
  'witness/answer-too-large': error(
    'The answer of a witness is within the size limit.',
    'A valid answer holds a few signatures or a number; a longer one could be endless.',
    THEIRS,
  ),
  'witness/answer-malformed': error(
    'A witness answers in the C2SP tlog-witness format.',
    'An answer that cannot be parsed contains no cosignature.',
    THEIRS,
  ),
  'witness/not-cosigned': error(
    'The answer of a witness includes a signature by its key in the policy file.',
    'A signature by another key does not come from this witness.',
    'Compare the key with the one the witness publishes.',
  ),
  'witness/bad-cosignature': error(
    'A cosignature verifies against the checkpoint sent and the key of the witness.',
    'It covers another checkpoint, or was not made with that key.',
    THEIRS,
  ),
  'witness/log-not-known': error(
    'The witness is configured for the log that it is asked to cosign.',
    'A witness cosigns only the logs in its configuration.',
    'Give the operator the verifier key of the log: waybill log checkpoint --key.',
  ),
  'witness/key-not-known': error(
    'The witness is configured with the key that signed the checkpoint.',
    'A checkpoint signed with an unknown key could come from anyone.',
    'After waybill key rotate log, give the witness the new verifier key: waybill log checkpoint --key.',
  ),
  'witness/refused': error(
    'A witness answers with a cosignature, or with a reason for refusing.',
    'Without a cosignature the checkpoint is not witnessed.',
    THEIRS,
  ),
  'witness/ahead': error(
    'No witness has cosigned more entries than the log has.',
    'This log is an older copy, or two logs share a name; writing here would fork it.',
    FORK,
  ),
  'witness/disagrees': error(
    'The log extends what the witness cosigned before.',
    'Two logs share a name, or the witness is faulty.',
    FORK,
  ),
  'witness/request-malformed': error(
    'A request is a valid add-checkpoint request (C2SP tlog-witness).',
    'A witness does not cosign an ambiguous request.',
    'Send the old size, the consistency proof, an empty line and the signed checkpoint, as waybill log prove --from writes them.',
  ),
  'witness/unknown-log': error(
    'The log of the checkpoint is in the configuration of this witness.',
    'Otherwise a client could fill the witness with logs of its own.',
    'List its verifier key, as log: under trust: in waybill.yaml, or in a line of the policy file.',
  ),
  'witness/bad-signature': error(
    'A checkpoint is signed by a key configured for its log.',
    'Anyone can write a checkpoint; only the signature proves that it comes from the log.',
    'Compare the keys; after a log rotates its key, list the new key here too.',
  ),
  'witness/memory-gone': warning(
    'A witness with a key has its record of cosigned checkpoints in .waybill/witness.',
    'Without the record the witness could cosign an older or different history of a log it has already seen.',
    'Restore the newest copy of that folder; without a copy, tell those who rely on this witness that it starts over.',
  ),
  'witness/old-size': error(
    'A request starts at the size that was cosigned last.',
    'Only then does its proof show that no cosigned entry changed.',
    'Retry from the size in the answer.',
  ),
  'witness/rolled-back': error(
    'A log never shrinks.',
    'It was restored to an older state and would sign a different history.',
    'Tell the operator of the log that this witness cosigned a newer checkpoint.',
  ),
  'witness/forked': error(
    'A log signs only one root for each size.',
    'Two signed checkpoints with the same size and different roots prove two histories.',
    'Keep both and show them to everyone who relies on that log; the security event in the ledger holds them.',
  ),
  'witness/inconsistent': error(
    'The consistency proof shows that the log extends what was cosigned before.',
    'Without that proof the log may have changed entries that others rely on.',
    'Ask the operator of the log for a proof from the size cosigned last; if there is none, the log has forked.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** A fault between a log and a witness. */
export type WitnessCode = keyof typeof WITNESS_CODES

/** A fault, with its detail. */
export interface WitnessFault {
  readonly code: WitnessCode
  readonly detail: string
}
