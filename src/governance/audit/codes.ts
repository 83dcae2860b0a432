import type { CodeMeaning } from '../../contract/index.ts'
import { error, warning } from '../code.ts'

const RESTORE =
  'Keep this folder for the investigation, and restore the newest copy of the whole ledger that verifies.'
const REBUILD =
  'No data is lost: the next append rebuilds the file from the entries. Find out who changed it.'
const LIST =
  'If the key is yours, list it under trust: in waybill.yaml; if not, find out who could write here.'

/** Codes of the faults that an audit of a ledger reports. */
export const AUDIT_CODES = {
  'ledger/checkpoint-missing': error(
    'A ledger has a signed checkpoint.',
    'Without one, no signature covers the contents of the ledger.',
    RESTORE,
  ),
  'ledger/checkpoint-malformed': error(
    'The checkpoint is a signed note with origin, size and root (C2SP tlog-checkpoint).',
    'A checkpoint that two readers can parse differently commits its signer to nothing.',
    RESTORE,
  ),
  'ledger/checkpoint-untrusted': error(
    'The checkpoint is signed by a key that is trusted for this ledger.',
    'Anyone can build a ledger whose hashes are valid; only the signature shows whose it is.',
    'Compare the key with the one that the owner of the ledger gave you; if they differ, this is another ledger.',
  ),
  'ledger/checkpoint-bad-signature': error(
    'The signature of the checkpoint matches its text and its key.',
    'The checkpoint was changed after it was signed.',
    RESTORE,
  ),
  'ledger/checkpoint-key-revoked': error(
    'The key of the checkpoint is not revoked.',
    'Anyone else who has that key can sign a ledger of their own with it.',
    'Run waybill init: it creates a new log key if there is none, and signs the same entries with it. Until then, --key with the revoked key still verifies them, but proves little.',
  ),
  'ledger/checkpoint-key-ended': error(
    'The key of the checkpoint is valid at the time of the last entry.',
    'An expired key that signs newer entries was used by someone who should no longer have it.',
    RESTORE,
  ),
  'ledger/wrong-origin': error(
    'The ledger has the expected origin.',
    'A valid ledger that replaces another one hides its entries.',
    RESTORE,
  ),
  'ledger/rolled-back': error(
    'The ledger has at least as many entries as its last signed checkpoint covers.',
    'An older copy lacks later decisions, so a handoff could be accepted twice.',
    'Restore the newest copy of the whole ledger folder; the guard names the size that it must have.',
  ),
  'ledger/forked': error(
    'The ledger begins with the entries of every earlier checkpoint.',
    'Two ledgers with the same origin can show different entries to different people.',
    RESTORE,
  ),
  'ledger/guard-damaged': error(
    'The copies of the last checkpoint outside the ledger are valid.',
    'They show whether a ledger was rolled back to an older state.',
    'Find out who changed the file; if the ledger has no other fault, remove it: the next append writes a new one.',
  ),
  'ledger/guard-absent': warning(
    'The copies of the last checkpoint outside the ledger exist.',
    'Without one, an older copy of the ledger and of the files next to it looks like the ledger itself.',
    'If the ledger was copied here, or is used from another home folder, this is normal: the next append writes the file. Otherwise compare the size with one recorded elsewhere.',
  ),
  'ledger/copied': warning(
    'The ledger lies where it was last written.',
    'A copy of a ledger next to the ledger itself can be read, but not written to: two ledgers of one name would fork.',
    'Start a ledger of its own here: waybill init --new-log. If this repository replaces the other one, remove the other one first.',
  ),
  'ledger/guard-not-compared': warning(
    'The copies of the last checkpoint outside the ledger can be compared with it.',
    'The tiles needed to check that the ledger begins with the signed entries are damaged.',
    RESTORE,
  ),
  'ledger/root-differs': error(
    'The entries hash to the root in the checkpoint.',
    'The checkpoint was signed for another list of entries.',
    RESTORE,
  ),
  'ledger/tile-damaged': error(
    'Every tile is present, complete, and consistent with the tiles below it.',
    'Proofs are built from the tiles; a wrong tile yields proofs that do not verify.',
    RESTORE,
  ),
  'ledger/tile-differs': error(
    'Every partial tile is a prefix of the full tile.',
    'An earlier checkpoint was built from the partial tile.',
    'The present entries are not affected; remove the file, and find out who changed it.',
  ),
  'ledger/entry-not-in-tree': error(
    'The leaf of every entry has the hash that the tree records at its index.',
    'The entry is not the one that was recorded there.',
    RESTORE,
  ),
  'ledger/leaf-malformed': error(
    'Every leaf is a hashedrekord of a P-256 signature in canonical form.',
    'A leaf that cannot be parsed identifies no entry.',
    RESTORE,
  ),
  'ledger/content-missing': error(
    'Every entry has its content, or a tombstone in its place.',
    'The log still proves that something was decided, but not what.',
    RESTORE,
  ),
  'ledger/content-malformed': error(
    'Every content is one line: a signed envelope in canonical form, or a tombstone.',
    'Content that cannot be parsed cannot be compared with the leaf.',
    RESTORE,
  ),
  'ledger/content-differs': error(
    'Every content matches the digest and signature in its leaf.',
    'The content was changed or swapped with another.',
    RESTORE,
  ),
  'ledger/content-surplus': error(
    'No data follows the contents of a full group of entries.',
    'No signature covers the extra data.',
    'Find out who wrote it, and remove it.',
  ),
  'ledger/bad-signature': error(
    'The signature of every entry matches its statement and its key.',
    'No trusted key has signed this statement.',
    RESTORE,
  ),
  'ledger/unproved-statement': error(
    'A statement marked as proved is signed by the named person and matches the entry.',
    'The gateway signs every entry, so only the person’s own signature shows that the statement is theirs.',
    'If the key is theirs, list it under trust: in waybill.yaml with its validity times; if not, ask them, and find out who could use the key of the gateway.',
  ),
  'ledger/unknown-person': warning(
    'The people whose statements another log marks as proved are listed here.',
    'A key that is not listed could be anyone’s.',
    'Verify that log in its own repository, where the keys of its people are listed.',
  ),
  'ledger/unproved-sender': error(
    'An accepted handoff is signed by its source agent, for this exact document.',
    'The gateway signs every entry, so only the sender’s signature shows that the sender exists.',
    'If the key is the agent’s, list it under trust: in waybill.yaml with its validity times; if not, find out who could use the key of the gateway.',
  ),
  'ledger/unknown-key': error(
    'Every entry is signed by a key that is trusted.',
    'A key that is not listed could be anyone’s.',
    LIST,
  ),
  'ledger/wrong-holder': error(
    'Every entry is signed by the gateway of this ledger.',
    'An agent or another gateway may sign its own statements, but not write entries here.',
    LIST,
  ),
  'ledger/key-not-yet-valid': error(
    'Every entry is signed with a key that was already valid at its time.',
    'Before from:, the key was not accepted as its holder’s.',
    'Correct from: in waybill.yaml if it is wrong; otherwise find out who could sign.',
  ),
  'ledger/key-expired': error(
    'Every entry is signed with a key that was still valid at its time.',
    'A replaced key should no longer be in use.',
    'Correct until: in waybill.yaml if it is wrong; otherwise find out who could sign.',
  ),
  'ledger/key-revoked': error(
    'No entry is signed with a key after it was revoked.',
    'Anyone else who has that key may have written the entry.',
    'Review every entry from that time on; the report lists their indices.',
  ),
  'ledger/statement-malformed': error(
    'Every entry is an in-toto statement in canonical form, with its time.',
    'A statement that two readers can parse differently proves nothing.',
    RESTORE,
  ),
  'ledger/unknown-kind': error(
    'Every entry has a kind that this version knows.',
    'The meaning of an unknown kind cannot be checked.',
    'Verify with the version of Waybill that wrote the ledger, or a newer version.',
  ),
  'ledger/time-backwards': error(
    'The time of entries never decreases.',
    'A backdated statement claims to be older than the entries before it.',
    'Review the entry and its signer with waybill log show.',
  ),
  'ledger/duplicate-key': error(
    'Each id is recorded once: a handoff is accepted, sent or imported under its id once.',
    'The same handoff was acted on twice.',
    'Review both entries; the second one should have been refused.',
  ),
  'ledger/accepted-in-quarantine': error(
    'No handoff from or to an agent is accepted while that agent is in quarantine.',
    'The quarantine was hidden from the gateway, or the entry was written without it.',
    'Treat the agent’s work since then as unreviewed; review both entries, and find out who could write here.',
  ),
  'ledger/tombstone-malformed': error(
    'A tombstone describes the erased entry: digest, ids, reason, person and time.',
    'Content that is gone without a tombstone is missing, not erased.',
    RESTORE,
  ),
  'ledger/erasure-unrecorded': error(
    'Every tombstone has an entry that records the erasure, with the same digest, reason, person and time.',
    'Without one, the content was removed outside of Waybill.',
    RESTORE,
  ),
  'ledger/erasure-unfinished': warning(
    'An entry whose erasure is recorded has no content.',
    'Anyone who can read the ledger can still read it.',
    'Finish the erasure: run waybill log erase with only the index of that entry; the person is already recorded.',
  ),
  'ledger/index-missing': error(
    'The index of keys has every entry.',
    'The index shows which ids are used; removing a file can make an id look unused.',
    REBUILD,
  ),
  'ledger/index-differs': error(
    'The index of keys has exactly the keys of the entries.',
    'The index shows which ids are used; changing it can make an id look unused.',
    `Remove the file. ${REBUILD}`,
  ),
  'ledger/state-missing': error(
    'The state file that appends start from exists.',
    'Without it no entry can be appended, and promised entries may be lost.',
    RESTORE,
  ),
  'ledger/state-damaged': error(
    'The state file that appends start from matches the tree.',
    'No entry can be appended to a ledger whose state belongs to another tree.',
    'Restore that file from a copy made after the last entry, or start a new log: move .waybill/ledger and .waybill/keys away, and run waybill init --new-log.',
  ),
  'ledger/write-ahead-damaged': error(
    'The write-ahead file of promised entries is valid.',
    'Promised entries may be lost.',
    RESTORE,
  ),
  'ledger/write-ahead-torn': warning(
    'The last record in the write-ahead file is complete.',
    'A process was killed or is writing now; the incomplete record was never promised.',
    'No action needed: the next append skips it.',
  ),
  'ledger/promises-pending': warning(
    'Every promised entry is covered by a checkpoint.',
    'These entries are durable, but cannot be proved yet.',
    'Append an entry, or wait: the next append adds them to the tree.',
  ),
  'ledger/unpublished': warning(
    'Every file of the ledger is covered by its checkpoint.',
    'No checkpoint covers the rest yet; a process is writing it, or was killed.',
    'No action needed: the next append finishes it.',
  ),
  'ledger/stray-file': warning(
    'The folder of a ledger holds only its own files.',
    'No signature covers the file, and a reader could take it for part of the ledger.',
    'Move it elsewhere.',
  ),
  'ledger/unreadable': error(
    'Every file of the ledger can be read.',
    'A file that cannot be read cannot be verified.',
    'Make it readable, or verify a copy.',
  ),
  'ledger/not-witnessed': warning(
    'The configured quorum of witnesses has cosigned the checkpoint.',
    'Until then, no outside party confirms that everyone sees the same ledger.',
    'Run waybill log witness. A cosignature covers one checkpoint, so repeat this when the ledger grows.',
  ),
  'ledger/quorum-not-met': error(
    'The required quorum of witnesses has cosigned the checkpoint.',
    'Without it, no outside party confirms that everyone sees the same ledger.',
    'Get a newer, cosigned copy; the owner of the ledger gets cosignatures with waybill log witness.',
  ),
  'ledger/receipt-malformed': error(
    'A receipt has the form that a gateway writes, with the entry that it promises.',
    'A receipt in another form proves nothing.',
    'Use the unchanged file that waybill receive or waybill send wrote.',
  ),
  'ledger/receipt-untrusted': error(
    'A receipt is signed by the gateway of this ledger, or by another listed gateway.',
    'A promise signed by another key does not bind this ledger.',
    'Verify it with its own ledger and the keys of that ledger; or, to verify only the promise, list the key of its gateway under trust: in waybill.yaml or pass it with --key.',
  ),
  'ledger/promise-broken': error(
    'The entry that a receipt promises is in the log at the promised index.',
    'The ledger was changed after the receipt was given, or rolled back to an older state.',
    'Keep the receipt and a copy of the ledger: together they prove the broken promise.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** The code of a fault that an audit of a ledger reports. */
export type AuditCode = keyof typeof AUDIT_CODES
