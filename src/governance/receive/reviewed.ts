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

/** An envelope verified by the current keys, and by the committed ones where they differ. */
export interface OpenedEnvelopes {
  readonly here: OpenedEnvelope
  readonly committed: OpenedEnvelope | undefined
}

/** Checks the signatures of an envelope against each list of keys that must accept it. */
export async function openReviewed(
  envelope: EnvelopeText | undefined,
  { gateway, standing: { committed } }: DecisionContext,
): Promise<OpenedEnvelopes | undefined> {
  if (envelope === undefined) return undefined
  const here = await openEnvelope(envelope, gateway.trust)
  return { here, committed: committed && (await openEnvelope(envelope, trustIn(committed))) }
}

/** Verifies an envelope; a signature that only uncommitted keys accept is invalid. */
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
  const said = uncommittedTrust(`the signing key of '${ground.source}'`)
  return { ...verified, authentic: false, diagnostics: [said] }
}

/** An invalid configuration lists no keys. */
function trustIn(config: Config): Trust {
  try {
    return readTrust(config)
  } catch {
    return readTrust({})
  }
}

/** The error for something that only the uncommitted configuration accepts. */
export function uncommittedTrust(what: string): Diagnostic {
  return finding(
    'gateway/uncommitted-trust',
    `${what} is valid under the current waybill.yaml, but not under the committed one`,
    'review the change with git diff waybill.yaml and commit it',
  )
}
