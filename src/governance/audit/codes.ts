import type { CodeMeaning } from '../../contract/index.ts'
import { error, warning } from '../code.ts'

const RESTORE =
  'Keep this folder for those who look into it, and put back the newest copy of the whole ledger that verifies.'
const REBUILD =
  'Nothing is lost: whoever writes next makes the file anew from the entries. Find out who changed it.'
const LIST =
  'If the key is one of yours, list it under trust: in waybill.yaml; if not, find out who could write here.'

/** What can be wrong with a ledger. */
export const AUDIT_CODES = {
  'ledger/checkpoint-missing': error(
    'A ledger has a signed checkpoint.',
    'Without one nobody has vouched for what the ledger holds.',
    RESTORE,
  ),
  'ledger/checkpoint-malformed': error(
    'The checkpoint is a signed note with origin, size and root (C2SP tlog-checkpoint).',
    'What two readers may read in two ways commits nobody to anything.',
    RESTORE,
  ),
  'ledger/checkpoint-untrusted': error(
    'The checkpoint is signed by a key that is trusted for this ledger.',
    'Anybody can build a ledger whose hashes are sound; only the signature says whose it is.',
    'Compare the key with the one that was given to you by the owner of the ledger; if they differ, this is another ledger.',
  ),
  'ledger/checkpoint-bad-signature': error(
    'The signature of the checkpoint fits its text and its key.',
    'It was changed after it was signed.',
    RESTORE,
  ),
  'ledger/checkpoint-key-revoked': error(
    'The key of the checkpoint is not revoked.',
    'Whoever else has that key can sign a ledger of their own with it.',
    'waybill init makes a new key of the log where there is none, and signs for the same entries with it. Until then --key with the revoked key verifies them, as far as that can be believed.',
  ),
  'ledger/checkpoint-key-ended': error(
    'The key of the checkpoint counts at the time of the last entry.',
    'An old key that signs newer entries was used by somebody who should no longer have it.',
    RESTORE,
  ),
  'ledger/wrong-origin': error(
    'The ledger is the one that is expected here.',
    'A sound ledger in the place of another hides what that one holds.',
    RESTORE,
  ),
  'ledger/rolled-back': error(
    'The ledger has at least the entries that it had when its last checkpoint was signed.',
    'An older copy lacks decisions that were made since; what was accepted once could be accepted again.',
    'Put back the newest copy of the whole ledger folder; the guard names the size that it must have.',
  ),
  'ledger/forked': error(
    'The ledger begins with the entries of every checkpoint that was signed before.',
    'Two ledgers that both claim to be this one tell different people different things.',
    RESTORE,
  ),
  'ledger/guard-damaged': error(
    'The copies of the last checkpoint outside the ledger are sound.',
    'They are what shows that a ledger was put back to an older state.',
    'Look into who changed the file; when the ledger verifies otherwise, remove it: the next append writes it anew.',
  ),
  'ledger/guard-absent': warning(
    'The copies of the last checkpoint outside the ledger are there.',
    'Without one, an older copy of the ledger and of all that lies beside it looks like the ledger itself.',
    'If the ledger was brought here, or is used from another home folder, nothing is wrong: the next append writes the file. Else compare the size with what others know of it.',
  ),
  'ledger/guard-not-compared': warning(
    'The copies of the last checkpoint outside the ledger can be compared with it.',
    'Whether the ledger begins with what was signed for then is told by tiles that are damaged.',
    RESTORE,
  ),
  'ledger/root-differs': error(
    'The entries add up to the root that the checkpoint was signed for.',
    'The checkpoint is of another list of entries.',
    RESTORE,
  ),
  'ledger/tile-damaged': error(
    'Every tile is there, whole, and what the tiles below it add up to.',
    'Proofs for others are made from the tiles; a wrong one makes proofs that nobody can check.',
    RESTORE,
  ),
  'ledger/tile-differs': error(
    'Tiles that were partial once are how the full ones begin.',
    'A checkpoint of that time was made from them.',
    'Nothing that counts now is touched; remove the file, and find out who changed it.',
  ),
  'ledger/entry-not-in-tree': error(
    'The leaf of every entry has the hash that the tree has at its place.',
    'It is not the entry that was recorded there.',
    RESTORE,
  ),
  'ledger/leaf-malformed': error(
    'Every leaf is a hashedrekord of a P-256 signature in canonical form.',
    'A leaf that cannot be read names no entry.',
    RESTORE,
  ),
  'ledger/content-missing': error(
    'The content of every entry is there, or a tombstone in its place.',
    'That something was decided can still be proved, but not what.',
    RESTORE,
  ),
  'ledger/content-malformed': error(
    'Every content is one line: a signed envelope in canonical form, or a tombstone.',
    'What cannot be read cannot be compared with the leaf.',
    RESTORE,
  ),
  'ledger/content-differs': error(
    'Every content is the one that its leaf names, by digest and signature.',
    'It was changed, or stands in the place of another.',
    RESTORE,
  ),
  'ledger/content-surplus': error(
    'Nothing stands behind the contents of a full group of entries.',
    'Nobody has signed what stands there.',
    'Find out who wrote it, and remove it.',
  ),
  'ledger/bad-signature': error(
    'The signature of every entry fits its statement and its key.',
    'Nobody who is trusted has stated this.',
    RESTORE,
  ),
  'ledger/unproved-statement': error(
    'What an entry calls proved is signed by the person who is named, in words that say what the entry says.',
    'The gateway signs every entry: only a signature of their own shows that it does not put words into the mouths of people.',
    'If the key is theirs, list it under trust: in waybill.yaml with the times that it counted; if not, ask them, and find out who could use the key of the gateway.',
  ),
  'ledger/unknown-person': warning(
    'The people whose statements another log calls proved are listed here.',
    'A key that nobody here has listed could be anyone’s.',
    'Verify that log in its own repository; only who lists the key of a person vouches for it.',
  ),
  'ledger/unproved-sender': error(
    'An accepted handoff is signed by the agent that it comes from, for this very document.',
    'The gateway signs every entry: only the signature of the sender shows that there was one.',
    'If the key is the agent’s, list it under trust: in waybill.yaml with the times that it counted; if not, find out who could use the key of the gateway.',
  ),
  'ledger/unknown-key': error(
    'Every entry is signed by a key that is trusted.',
    'A key that nobody has listed could be anyone’s.',
    LIST,
  ),
  'ledger/wrong-holder': error(
    'Every entry is signed by the gateway of this ledger.',
    'An agent or another gateway may speak for itself, but not write entries here.',
    LIST,
  ),
  'ledger/key-not-yet-valid': error(
    'Every entry is signed with a key that counted already at its time.',
    'Before that, nobody had taken it for the key of its holder.',
    'Correct from: in waybill.yaml if it is wrong there; else find out who could sign.',
  ),
  'ledger/key-expired': error(
    'Every entry is signed with a key that still counted at its time.',
    'A key that was succeeded should no longer be in use.',
    'Correct until: in waybill.yaml if it is wrong there; else find out who could sign.',
  ),
  'ledger/key-revoked': error(
    'No entry is signed with a key after it was revoked.',
    'Whoever else has that key may have written the entry.',
    'Look into every entry from that time on; they are named with their indices.',
  ),
  'ledger/statement-malformed': error(
    'Every entry is an in-toto statement in canonical form, with the time that it was made.',
    'What two readers may read in two ways proves nothing.',
    RESTORE,
  ),
  'ledger/unknown-kind': error(
    'Every entry is of a kind that this version knows.',
    'Nobody can tell what it decides.',
    'Verify with the version of Waybill that wrote the ledger, or a newer one.',
  ),
  'ledger/time-backwards': error(
    'The time of entries never goes back.',
    'A statement that is dated back claims to be older than what was recorded before it.',
    'Look into the entry and who signed it; waybill log show prints it.',
  ),
  'ledger/duplicate-key': error(
    'What happens once is recorded once: a handoff is accepted, sent or imported under its id once.',
    'The same handoff was acted on twice.',
    'Look into both entries; the second one should have been refused.',
  ),
  'ledger/accepted-in-quarantine': error(
    'No handoff of or to an agent is accepted while that agent is in quarantine.',
    'Somebody kept the gateway from seeing that the agent was kept out, or wrote the entry without it.',
    'Treat what the agent did since as not reviewed; look into both entries, and find out who could write here.',
  ),
  'ledger/tombstone-malformed': error(
    'A tombstone names the entry that it stands for: digest, ids, reason, who and when.',
    'A content that is gone without a trace is missing, not erased.',
    RESTORE,
  ),
  'ledger/erasure-unrecorded': error(
    'Every tombstone has an entry that records the erasure, with the same digest, reason, person and time.',
    'Without one, somebody has taken a content away on their own.',
    RESTORE,
  ),
  'ledger/erasure-unfinished': warning(
    'The content of an entry whose erasure is recorded is gone.',
    'Whoever may read the ledger can still read it.',
    'Erase it again: waybill log erase with the index of that entry alone, for who erases it is stated already.',
  ),
  'ledger/index-missing': error(
    'The index of keys has every entry.',
    'Ids that were taken are found by it; whoever takes a file away wants an id to look unused.',
    REBUILD,
  ),
  'ledger/index-differs': error(
    'The index of keys has exactly the keys of the entries.',
    'Ids that were taken are found by it; whoever changes it wants an id to look unused.',
    `Remove the file. ${REBUILD}`,
  ),
  'ledger/state-missing': error(
    'The state that the ledger is continued from is there.',
    'Without it nobody can append, and promised entries may be lost.',
    RESTORE,
  ),
  'ledger/state-damaged': error(
    'The state that the ledger is continued from is that of its tree.',
    'Nobody can append to a ledger whose state tells of another tree.',
    'Put that file back from a copy made after the last entry, or begin another log: move .waybill/ledger and .waybill/keys away, and waybill init --new-log.',
  ),
  'ledger/write-ahead-damaged': error(
    'The record of promised entries is whole.',
    'What was promised to somebody may be lost.',
    RESTORE,
  ),
  'ledger/write-ahead-torn': warning(
    'The last record of promised entries was finished.',
    'A process was killed or is writing just now; what it had not finished was promised to nobody.',
    'Nothing needs to be done: whoever writes next passes over it.',
  ),
  'ledger/promises-pending': warning(
    'All that was promised stands under a checkpoint.',
    'These entries are durable, but nobody can prove them yet.',
    'Append anything, or wait: whoever writes next brings them into the tree.',
  ),
  'ledger/unpublished': warning(
    'Every file of the ledger is covered by its checkpoint.',
    'Nothing vouches yet for what lies beyond; a process is writing it, or was killed.',
    'Nothing needs to be done: whoever writes next finishes it.',
  ),
  'ledger/stray-file': warning(
    'The folder of a ledger holds nothing else.',
    'No signature covers what lies there, and a reader could take it for a part of the ledger.',
    'Move it elsewhere.',
  ),
  'ledger/unreadable': error(
    'Every file of the ledger can be read.',
    'What cannot be read cannot be verified.',
    'Make it readable, or verify a copy.',
  ),
  'ledger/not-witnessed': warning(
    'The configured quorum of witnesses has cosigned the checkpoint.',
    'Until they have, nobody outside vouches that others are shown the same ledger.',
    'Ask them: waybill log witness. Cosignatures are for one checkpoint, so this comes back when the ledger grows.',
  ),
  'ledger/quorum-not-met': error(
    'The quorum of witnesses that was asked for has cosigned the checkpoint.',
    'Without it nobody outside vouches that others are shown the same ledger.',
    'Get a newer copy that is cosigned; whoever keeps the ledger runs waybill log witness.',
  ),
  'ledger/receipt-malformed': error(
    'A receipt is one that a gateway gives, with the entry that it promises.',
    'Nothing can be claimed with what nobody has signed in this form.',
    'Use the file that waybill receive or waybill send has written, unchanged.',
  ),
  'ledger/receipt-untrusted': error(
    'A receipt is signed by the gateway of this ledger, or of another one that is listed.',
    'A promise of somebody else binds this ledger to nothing.',
    'Verify it with the ledger that it is from and the keys of that one; or list the key of its gateway under trust: in waybill.yaml, or give it with --key, to verify the promise alone.',
  ),
  'ledger/promise-broken': error(
    'What a receipt promises is kept: the same entry stands at that place.',
    'The ledger was changed after somebody was told what it holds, or put back to an older state.',
    'Keep the receipt and a copy of the ledger: together they show that the promise was broken.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** One thing that can be wrong with a ledger. */
export type AuditCode = keyof typeof AUDIT_CODES
