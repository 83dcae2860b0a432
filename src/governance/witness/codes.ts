import type { CodeMeaning } from '../../contract/index.ts'
import { error, warning } from '../code.ts'

const THEIRS = 'Ask whoever runs that witness; if it goes on, take it out of the policy file.'
const FORK =
  'Stop writing to this log, keep all copies of it, and find out which one others have seen: waybill log verify, and the entries of each.'

/** What can go wrong between a log and a witness, on either side. */
export const WITNESS_CODES = {
  'witness/no-url': error(
    'A witness that is to be asked has an address in the policy file.',
    'Nobody can be asked who cannot be reached.',
    'Write its URL behind its key, or have it cosign a file: waybill log prove --from, then waybill log witness --cosign there.',
  ),
  'witness/insecure-url': error(
    'The address of a witness begins with https:, or is that of this machine or a private network.',
    'Whoever is on the way could answer in its place, keep it from you, and see what you send.',
    'Use its https: address.',
  ),
  'witness/unreachable': error(
    'A witness can be reached.',
    'A witness that is not there vouches for nothing.',
    'Try again later; look at its address in the policy file and at the network.',
  ),
  'witness/timeout': error(
    'A witness answers within ten seconds.',
    'Nobody can wait for an answer that may never come.',
    'Try again later.',
  ),
  'witness/redirected': error(
    'A witness answers at the address in the policy file.',
    'Following it elsewhere would let others decide whom this machine talks to.',
    'If it has moved, write its new address into the policy file.',
  ),
  'witness/answer-too-large': error(
    'An answer of a witness is short.',
    'It holds a few signatures or a number; more is no answer, and could go on for ever.',
    THEIRS,
  ),
  'witness/answer-malformed': error(
    'A witness answers as its protocol says (C2SP tlog-witness).',
    'What cannot be read as a cosignature is none.',
    THEIRS,
  ),
  'witness/not-cosigned': error(
    'Among the signatures of a witness is one by the key in the policy file.',
    'A signature by another key says nothing about this witness.',
    'Compare the key with the one that the witness publishes.',
  ),
  'witness/bad-cosignature': error(
    'A cosignature fits the checkpoint that was sent, and the key of the witness.',
    'It vouches for something else, or nobody has made it with that key.',
    THEIRS,
  ),
  'witness/log-not-known': error(
    'A witness knows the log that it is asked to cosign.',
    'A witness only follows logs that it was told of.',
    'Give it the verifier key of the log: waybill log checkpoint --key.',
  ),
  'witness/key-not-known': error(
    'A witness knows the key that the checkpoint is signed with.',
    'A checkpoint with another signature could be anybody’s.',
    'After waybill key rotate log, give the witness the new verifier key: waybill log checkpoint --key.',
  ),
  'witness/refused': error(
    'A witness answers with a cosignature, or says why not.',
    'Without one it vouches for nothing.',
    THEIRS,
  ),
  'witness/ahead': error(
    'No witness has cosigned more of a log than there is.',
    'The log here is an older copy, or there are two that go by one name; whoever writes here would fork it.',
    FORK,
  ),
  'witness/disagrees': error(
    'What a witness has cosigned before is the beginning of the log.',
    'There are two logs that go by one name, or the witness is at fault.',
    FORK,
  ),
  'witness/request-malformed': error(
    'A request is one that a witness is sent (C2SP tlog-witness, add-checkpoint).',
    'What can be read in two ways is not cosigned.',
    'Send the old size, the consistency proof, an empty line and the signed checkpoint, as waybill log prove --from writes them.',
  ),
  'witness/unknown-log': error(
    'The log of a checkpoint is one that this witness was told of.',
    'Whoever may choose the names that are cosigned can fill the witness with logs of their own.',
    'List its verifier key, as log: under trust: in waybill.yaml, or in a line of the policy file.',
  ),
  'witness/bad-signature': error(
    'A checkpoint is signed by a key that counts for its log.',
    'Anybody can write a checkpoint; only the signature makes it one of that log.',
    'Compare the keys; that of a log that has rotated its key has to be listed here too.',
  ),
  'witness/memory-gone': warning(
    'A witness that has a key remembers what it has cosigned, in .waybill/witness.',
    'Without it the witness cosigns an older history of a log, or another one, as if it had never seen that log.',
    'Put the newest copy of that folder back; where there is none, tell those who rely on this witness that it begins anew.',
  ),
  'witness/old-size': error(
    'A request begins at the size that was cosigned last.',
    'Only then does its proof show that nothing of what was cosigned was changed.',
    'Ask again from the size that is told.',
  ),
  'witness/rolled-back': error(
    'A log never becomes smaller.',
    'It was put back to an older state, and would go on to sign another history.',
    'Tell whoever keeps the log: a newer checkpoint of it was cosigned here.',
  ),
  'witness/forked': error(
    'A log signs one root only for each size.',
    'Two signed checkpoints of one size with two roots prove that it has shown two histories.',
    'Keep both, and show them to all who rely on that log; the security event in the ledger holds them.',
  ),
  'witness/inconsistent': error(
    'What was cosigned before is the beginning of the log, as its proof shows.',
    'Without that proof the log may have changed what others have already relied on.',
    'Ask whoever keeps the log for a proof from the size that was cosigned last; if there is none, it has forked.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** One thing that can go wrong between a log and a witness. */
export type WitnessCode = keyof typeof WITNESS_CODES

/** That something went wrong, and how. */
export interface WitnessFault {
  readonly code: WitnessCode
  readonly detail: string
}
