import type { CodeMeaning } from '../../contract/index.ts'
import { error, warning } from '../code.ts'

/** The codes of the gateway's own checks, beyond contract and envelope rules. */
export const GATEWAY_CODES = {
  'gateway/no-handoff': error(
    'A gateway sends or receives one agent handoff, in its own JSON or YAML file.',
    'A gateway handles one handoff at a time and cannot guess which of several you mean.',
    'Put the handoff in its own file.',
  ),
  'gateway/not-governed': error(
    'The repository has a readable, valid manifest and lockfile.',
    'They define the agents, their permissions and their prompts.',
    'Fix the file that the message names. waybill init and waybill lock create them; agents: in waybill.yaml sets their paths.',
  ),
  'gateway/governed-from-outside': error(
    'Configuration, manifest and lockfile are inside the repository, after resolving links.',
    'A file outside is not committed, so it can change the agents without review.',
    'Find out who added the link, or the path under agents: in waybill.yaml, and point it at a file in the repository.',
  ),
  'gateway/secret': error(
    'No text in a handoff looks like a credential.',
    'Handoffs are recorded permanently and read by others, so a credential in one is leaked.',
    'Remove it, rotate it, and name the place where the recipient can find the new one.',
  ),
  'gateway/denied': error(
    'The policies allow the handoff.',
    'Contract rules apply everywhere; policies add the restrictions of this repository.',
    'The message names the policies that decided; waybill policy explain shows details.',
  ),
  'gateway/policy-failed': error(
    'The policies reach a decision.',
    'A failed evaluation denies the request; otherwise a broken policy would restrict nothing.',
    'Fix what the message names; waybill policy check lists the errors in the policies.',
  ),
  'gateway/not-approved': error(
    'The latest decision of every listed person on this handoff is not a rejection.',
    'A rejection counts even when no policy requires approval.',
    'Fix what the person names and send it again, or have the same person run waybill approve.',
  ),
  'gateway/draft-disagrees': error(
    'The fields of a draft match what the gateway finds.',
    'A gateway fills in missing fields; it does not overwrite fields that the author set.',
    'Remove the field from the draft, or correct it.',
  ),
  'gateway/trail-differs': error(
    'The audit trail of a handoff names the entry in this log that recorded its sending.',
    'Otherwise a trace of the handoff would lead to an unrelated entry, or to none.',
    'Send it again with waybill send, which sets the entry.',
  ),
  'gateway/uncommitted': warning(
    'Configuration, manifest and lockfile match the commit.',
    'Uncommitted changes may not have been reviewed.',
    'Review the changes with git diff and commit them.',
  ),
  'gateway/uncommitted-trust': error(
    'The configuration that verifies a received handoff is committed.',
    'Otherwise anyone with write access could add a key, or an agent under unsigned:, without review.',
    'Review waybill.yaml with git diff, commit it, and receive the handoff again.',
  ),
  'gateway/time-ahead': warning(
    'Gateway time is not ahead of the clock.',
    'Gateway time never goes back: after one call with the clock set ahead, every handoff carries that time, and other gateways refuse it as from the future.',
    'Check the clock. If it is right, wait until it catches up; waybill log export shows the entry that jumped ahead.',
  ),
  'gateway/no-key': error(
    'The private key of the source agent is here, and waybill.yaml lists its public key under trust:.',
    'Recipients refuse a handoff that its source did not sign.',
    'Send from the clone that holds the key, or create one here: waybill key rotate <agent> if waybill.yaml already lists one, otherwise waybill init.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** A code of the gateway's own checks. */
export type GatewayCode = keyof typeof GATEWAY_CODES
