import type { Diagnostic } from '../../contract/index.ts'
import type { Config } from '../../workspace/index.ts'
import {
  type EnvelopeGround,
  type EnvelopeText,
  type OpenedEnvelope,
  openEnvelope,
  type VerifiedEnvelope,
  verifyEnvelope,
} from '../envelope/verify.ts'
import { finding } from '../handoff/finding.ts'
import type { DecisionContext } from '../handoff/judge.ts'
import { readTrust, type Trust } from '../trust/trust.ts'

/** An envelope by the keys that are listed, and by those that were reviewed, where that is another list. */
export interface OpenedEnvelopes {
  readonly here: OpenedEnvelope
  readonly committed: OpenedEnvelope | undefined
}

/** Checks the signatures of an envelope by every list of keys that it has to stand by. */
export async function openReviewed(
  envelope: EnvelopeText | undefined,
  { gateway, standing: { committed } }: DecisionContext,
): Promise<OpenedEnvelopes | undefined> {
  if (envelope === undefined) return undefined
  const here = await openEnvelope(envelope, gateway.trust)
  return { here, committed: committed && (await openEnvelope(envelope, trustIn(committed))) }
}

/** Verifies an envelope; what is good by keys that nobody has reviewed is not good. */
export function verifyReviewed(
  { here, committed }: OpenedEnvelopes,
  ground: EnvelopeGround,
): VerifiedEnvelope {
  const verified = verifyEnvelope(here, ground)
  if (!committed) return verified
  const reviewed = verifyEnvelope(committed, ground)
  const authentic = verified.authentic && reviewed.authentic
  if (verified.diagnostics.length > 0 || reviewed.diagnostics.length === 0)
    return { ...verified, authentic }
  const said = uncommittedTrust(`the key that '${ground.source}' has signed with`)
  return { ...verified, authentic: false, diagnostics: [said] }
}

/** What cannot be read lists nobody. */
function trustIn(config: Config): Trust {
  try {
    return readTrust(config)
  } catch {
    return readTrust({})
  }
}

/** What is said where something counts by a configuration that nobody has reviewed. */
export function uncommittedTrust(what: string): Diagnostic {
  return finding(
    'gateway/uncommitted-trust',
    `${what} counts in waybill.yaml as it is, and does not in waybill.yaml as committed`,
    'look at the change with git diff waybill.yaml, and commit it',
  )
}
