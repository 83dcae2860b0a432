import type { CodeMeaning } from '../../contract/index.ts'
import { error } from '../code.ts'

const SEND_AGAIN = 'Let the sender hand over again with waybill send; it makes a new envelope.'

/** What can be wrong with the signed envelope beside a handoff. */
export const ENVELOPE_CODES = {
  'envelope/unsigned': error(
    'A handoff comes with the signed envelope of its sender.',
    'Without a signature anybody may have written it, whatever it says about its source.',
    'Ask for the .dsse.json file beside the document; only agents listed under unsigned: in waybill.yaml may do without.',
  ),
  'envelope/too-large': error(
    'The envelope has at most 65536 bytes.',
    'An envelope holds digests and signatures, no text; what is larger is none, and is not read.',
    SEND_AGAIN,
  ),
  'envelope/malformed': error(
    'The envelope is a DSSE envelope with at least one signature.',
    'What two readers may read in two ways proves nothing.',
    SEND_AGAIN,
  ),
  'envelope/malformed-statement': error(
    'What was signed is an in-toto statement about a handoff: its digests, audience and time window.',
    'A signature over something else says nothing about this handoff.',
    SEND_AGAIN,
  ),
  'envelope/malformed-time': error(
    'The iat and exp of an envelope are times with their zone.',
    'A time without a zone is another moment to each reader: one finds the envelope expired, another does not.',
    SEND_AGAIN,
  ),
  'envelope/untrusted-key': error(
    'Every signature is by a key that waybill.yaml lists under trust:.',
    'A key that nobody here has listed could be anyone’s; one that comes with the envelope vouches for itself alone.',
    'Let a person who knows the sender add the key to trust: in waybill.yaml, or refuse the handoff for good.',
  ),
  'envelope/wrong-algorithm': error(
    'Agents sign with ECDSA on the curve P-256 and SHA-256.',
    'One fixed algorithm leaves nobody a choice of a weaker one.',
    'Let the sender make a key with waybill key, list it, and hand over again.',
  ),
  'envelope/bad-signature': error(
    'Every signature in the envelope fits what was signed and the key it names.',
    'One signature that does not fit shows that the envelope was changed or put together from parts.',
    SEND_AGAIN,
  ),
  'envelope/key-not-yet-valid': error(
    'A key counts from the time that waybill.yaml gives as from:.',
    'Before that, nobody has taken it for the key of its holder.',
    'Wait, or let a person correct from: in waybill.yaml.',
  ),
  'envelope/key-expired': error(
    'A key counts up to the time that waybill.yaml gives as until:.',
    'Old keys are known to more and more places; after its time, a key proves nothing new.',
    'Let the sender send it anew, signed with its present key, which is listed under trust: and committed.',
  ),
  'envelope/key-revoked': error(
    'Nothing that a revoked key signs counts.',
    'A key is revoked because somebody else may have it.',
    'Let the sender sign with a key that is listed and not revoked.',
  ),
  'envelope/wrong-agent': error(
    'One of the signatures is by the source agent of the handoff.',
    'Another agent may vouch for itself, but not speak in the name of the source.',
    'Let the source agent itself hand over.',
  ),
  'envelope/wrong-subject': error(
    'The envelope was made for this very document.',
    'A document that was changed after it was signed is not what its sender handed over.',
    'Get the document as it was sent, or let the sender hand over again.',
  ),
  'envelope/wrong-audience': error(
    'The envelope is addressed to the agent that receives the handoff.',
    'What was meant for one receiver must not be used with another.',
    'Pass it to the agent that it is addressed to, or let the sender hand over to this one.',
  ),
  'envelope/manifest-differs': error(
    'The sender went by the same prompt manifest as the receiver.',
    'With another manifest, other agents and other boundaries hold.',
    'Bring both sides to the same commit, then let the sender hand over again.',
  ),
  'envelope/lock-differs': error(
    'The sender went by the same prompt lock as the receiver.',
    'With another lock, other prompts are the approved ones.',
    'Bring both sides to the same commit, then let the sender hand over again.',
  ),
  'envelope/expired': error(
    'The envelope is received before its exp.',
    'An envelope that was kept back may be one that somebody copied.',
    SEND_AGAIN,
  ),
  'envelope/issued-in-future': error(
    'The envelope was issued at most 30 seconds after the time of the receiver.',
    'What is dated ahead would stay usable longer than it may.',
    'Correct the clock of the sender or of the receiver; then let the sender hand over again.',
  ),
  'envelope/window-too-long': error(
    'An envelope is usable for at most 600 seconds, and ends after it begins.',
    'The longer it is usable, the longer a copy of it is.',
    SEND_AGAIN,
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** One thing that can be wrong with an envelope. */
export type EnvelopeCode = keyof typeof ENVELOPE_CODES
