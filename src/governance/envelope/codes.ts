import type { CodeMeaning } from '../../contract/index.ts'
import { error } from '../code.ts'

const SEND_AGAIN = 'Ask the sender to run waybill send again; it creates a new envelope.'

/** Codes of the faults in the signed envelope that comes with a handoff. */
export const ENVELOPE_CODES = {
  'envelope/unsigned': error(
    'A handoff comes with the signed envelope of its sender.',
    'Without a signature, anyone may have written it, whatever source it names.',
    'Ask for the .dsse.json file that belongs to the document; only agents listed under unsigned: in waybill.yaml may send without one.',
  ),
  'envelope/too-large': error(
    'The envelope has at most 65536 bytes.',
    'An envelope holds digests and signatures, no text; a larger file is not read.',
    SEND_AGAIN,
  ),
  'envelope/malformed': error(
    'The envelope is a DSSE envelope with at least one signature.',
    'An envelope that two readers can parse differently proves nothing.',
    SEND_AGAIN,
  ),
  'envelope/malformed-statement': error(
    'The signed payload is an in-toto statement about a handoff: its digests, audience and time window.',
    'A signature over other data proves nothing about this handoff.',
    SEND_AGAIN,
  ),
  'envelope/malformed-time': error(
    'The iat and exp of an envelope are times with a time zone.',
    'Readers resolve a time without a zone differently: one finds the envelope expired, another does not.',
    SEND_AGAIN,
  ),
  'envelope/untrusted-key': error(
    'Every signature is by a key listed under trust: in waybill.yaml.',
    'A key that is not listed could be anyone’s; a key inside the envelope proves nothing.',
    'Ask a person who knows the sender to add the key to trust: in waybill.yaml, or refuse the handoff permanently.',
  ),
  'envelope/wrong-algorithm': error(
    'Agents sign with ECDSA on the curve P-256 and SHA-256.',
    'One fixed algorithm prevents a downgrade to a weaker one.',
    'Ask the sender to create a key with waybill key, list it, and send the handoff again.',
  ),
  'envelope/bad-signature': error(
    'Every signature in the envelope matches the payload and the key that it names.',
    'A signature that does not match shows that the envelope was changed or assembled from parts.',
    SEND_AGAIN,
  ),
  'envelope/key-not-yet-valid': error(
    'A key is valid from the time that waybill.yaml gives as from:.',
    'Before from:, the key is not accepted as its holder’s.',
    'Wait, or ask a person to correct from: in waybill.yaml.',
  ),
  'envelope/key-expired': error(
    'A key is valid up to the time that waybill.yaml gives as until:.',
    'The older a key, the more likely it has leaked; after until:, it proves nothing new.',
    'Ask the sender to send it again, signed with its present key, listed under trust: and committed.',
  ),
  'envelope/key-revoked': error(
    'Signatures by a revoked key are not accepted.',
    'A key is revoked because someone else may have it.',
    'Ask the sender to sign with a key that is listed and not revoked.',
  ),
  'envelope/wrong-agent': error(
    'One of the signatures is by the source agent of the handoff.',
    'Another agent may sign for itself, but not for the source.',
    'Ask the source agent itself to send the handoff.',
  ),
  'envelope/wrong-subject': error(
    'The envelope was signed for this exact document.',
    'A document that was changed after signing is not the one that its sender handed over.',
    'Get the document as it was sent, or ask the sender to send it again.',
  ),
  'envelope/wrong-audience': error(
    'The envelope is addressed to the agent that receives the handoff.',
    'A handoff meant for one recipient must not be used with another.',
    'Pass it to the agent that it is addressed to, or ask the sender to send it to this one.',
  ),
  'envelope/manifest-differs': error(
    'The sender used the same prompt manifest as the recipient.',
    'Another manifest defines other agents and boundaries.',
    'Bring both sides to the same commit, then ask the sender to send again.',
  ),
  'envelope/lock-differs': error(
    'The sender used the same prompt lock as the recipient.',
    'Another lock approves other prompts.',
    'Bring both sides to the same commit, then ask the sender to send again.',
  ),
  'envelope/expired': error(
    'The envelope arrives before its exp.',
    'A late envelope may be a copy that someone replays.',
    SEND_AGAIN,
  ),
  'envelope/issued-in-future': error(
    'The envelope’s iat is at most 30 seconds ahead of the recipient’s clock.',
    'An envelope dated ahead would stay valid for too long.',
    'Correct the clock of the sender or the recipient; then ask the sender to send again.',
  ),
  'envelope/window-too-long': error(
    'An envelope is valid for at most 600 seconds, and its exp is after its iat.',
    'The longer it is valid, the longer a copy can be replayed.',
    SEND_AGAIN,
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** The code of a fault in an envelope. */
export type EnvelopeCode = keyof typeof ENVELOPE_CODES
