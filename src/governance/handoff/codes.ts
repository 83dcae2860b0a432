import type { CodeMeaning } from '../../contract/index.ts'
import { error, warning } from '../code.ts'

/** What a gateway finds beyond the rules of the contract and the envelope. */
export const GATEWAY_CODES = {
  'gateway/no-handoff': error(
    'What is sent or received is one agent handoff, in a JSON or YAML file of its own.',
    'A gateway answers for one handoff at a time; which of several was meant would be a guess.',
    'Put the handoff into a file of its own.',
  ),
  'gateway/not-governed': error(
    'There are a manifest and a lock here that can be read and are sound.',
    'Without them nobody knows which agents there are, what they may do and which prompts are theirs.',
    'The message names the file; waybill init and waybill lock make them, and agents: in waybill.yaml says where they are.',
  ),
  'gateway/governed-from-outside': error(
    'Configuration, manifest and lock stand inside the repository, also behind links.',
    'A file outside is in no commit: whoever can write it there says which agents there are, and nobody reviews it.',
    'Find out who put the link there, or wrote the path under agents: in waybill.yaml; put a file of the repository there.',
  ),
  'gateway/secret': error(
    'No text of a handoff looks like a credential.',
    'What is handed over is recorded for good and read by others; a credential in it is no secret any more.',
    'Take it out, replace it where it is in use, and name the place where the receiver finds it.',
  ),
  'gateway/denied': error(
    'The policies allow the handoff.',
    'Rules say what may be; the policies of a repository say what may be here.',
    'The message names the policies that decided; waybill policy explain tells more.',
  ),
  'gateway/policy-failed': error(
    'The policies come to a decision.',
    'What cannot be decided is denied: a policy that fails would otherwise be no policy.',
    'Mend what the message names; waybill policy check shows what is wrong with the policies themselves.',
  ),
  'gateway/not-approved': error(
    'Nobody whose last word counts has rejected this very handoff.',
    'A person who says no is heard, whether a policy asks for approval or not.',
    'Mend what the person names, and send it anew; or let the same person approve it after all: waybill approve.',
  ),
  'gateway/draft-disagrees': error(
    'What a draft states is what the gateway finds.',
    'A gateway adds what is missing; it does not overwrite what somebody wrote on purpose.',
    'Leave the field out of the draft, or correct it.',
  ),
  'gateway/trail-differs': error(
    'An audit trail in this log is the entry by which the handoff was sent.',
    'A handoff that names the entry of another one, or none, would be followed to what it does not come from.',
    'Send it anew with waybill send, which names the entry.',
  ),
  'gateway/uncommitted': warning(
    'Configuration, manifest and lock are as they are committed.',
    'What is committed was seen by those who review commits; what is not was perhaps seen by nobody.',
    'Look at the changes with git diff, and commit them.',
  ),
  'gateway/uncommitted-trust': error(
    'What vouches for a handoff that is received stands in the committed configuration.',
    'Whoever can write a file could otherwise list a key, or an agent under unsigned:, that nobody has reviewed.',
    'Look at waybill.yaml with git diff, and commit it; then receive the handoff again.',
  ),
  'gateway/time-ahead': warning(
    'Gateway time is not ahead of the clock.',
    'Gateway time never goes back: after one call with the clock set ahead, each handoff bears that time, and other gateways refuse it as from the future.',
    'Look whether the clock is right. If it is, wait until it has come so far; waybill log export shows the entry of the jump.',
  ),
  'gateway/no-key': error(
    'There is a private key of the source agent here, and waybill.yaml lists it under trust:.',
    'A handoff that is not signed by its source is refused by whoever receives it.',
    'Send from the clone that holds the key; or make one here, with waybill key rotate <agent> where waybill.yaml lists one already, else with waybill init.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** One thing that a gateway finds. */
export type GatewayCode = keyof typeof GATEWAY_CODES
