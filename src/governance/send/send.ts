import type { Diagnostic } from '../../contract/index.ts'
import type { AgentHandoff } from '../../contracts/index.ts'
import { formatInstant } from '../../document/index.ts'
import type { Receipt, Taken } from '../../ledger/index.ts'
import { digestValue } from '../digest.ts'
import { sentKey } from '../entries/keys.ts'
import { APPROVED, approvableDraft } from '../handoff/approvals.ts'
import type { ReadHandoff } from '../handoff/check.ts'
import { claimsOf } from '../handoff/claims.ts'
import { finding } from '../handoff/finding.ts'
import { foundIn } from '../handoff/found.ts'
import {
  type Backing,
  type DecisionContext,
  type Judgement,
  judge,
  NOTHING_READ,
} from '../handoff/judge.ts'
import { recordMismatch } from '../handoff/mismatch.ts'
import { idsToFind } from '../handoff/named-ids.ts'
import type { Passage } from '../handoff/passage.ts'
import { readTrust } from '../trust/trust.ts'
import { complete, withoutConsequences } from './complete.ts'
import { makeEnvelope } from './envelope.ts'

/** A draft to send. */
export interface Draft {
  /** The one draft that was parsed; absent for none or several. */
  readonly read: ReadHandoff | undefined
  /** Hex SHA-256 of its bytes. */
  readonly bytes: string
  /** Digest of the previous handoff in the conversation. */
  readonly previous: string | undefined
  /** The standing rules in force, to add to the constraints. */
  readonly rules?: readonly string[]
}

/** The result of sending a handoff. */
export interface Sent extends Passage {
  readonly answer: 'sent' | 'needs-input' | 'rejected'
  /** The document and its envelope as text to write; absent if refused. */
  readonly made: { readonly handoff: AgentHandoff; readonly envelope: string } | undefined
  /** How many standing rules were added to the constraints. */
  readonly rulesAdded: number
}

/** Completes a draft, checks it as its recipient would, records it and signs it; records refusals too. */
export async function send(draft: Draft, decisionContext: DecisionContext): Promise<Sent> {
  const { read, previous, rules = [] } = draft
  const { governanceFiles, at } = decisionContext
  const isReadable = read !== undefined && read.document.faults.length === 0
  const completed = complete(isReadable ? read.value : undefined, governanceFiles, { at, rules })
  const claims = claimsOf(completed.value)
  const judgement = read
    ? await judge(
        {
          read: { document: read.document, value: isReadable ? completed.value : read.value },
          claims,
          once: claims.handoff && sentKey(claims.handoff),
          approvable: async () => approvableDraft(read.value),
          backing: handoff => backingOf(handoff, completed.diagnostics, decisionContext),
        },
        decisionContext,
      )
    : NOTHING_READ
  // Anyone here can write a hash into a draft; only a changed prompt file quarantines an agent.
  const quarantined = await recordMismatch(judgement, decisionContext.gateway, {
    claims,
    signed: undefined,
  })
  const facts = {
    at: formatInstant(at),
    claims,
    attestation: judgement.attestation,
    quarantined,
    rulesAdded: completed.rulesAdded,
  }
  const { handoff } = judgement
  if (judgement.answer === 'accepted' && handoff) {
    const receipt = await recordSent(handoff, judgement, draft, decisionContext)
    if (!('taken' in receipt)) {
      const trail = `${decisionContext.gateway.origin}#${receipt.digest}`
      const whole = { ...handoff, governance: { ...handoff.governance, audit_trail: trail } }
      const signer = signerOf(handoff, decisionContext)
      if (!signer) throw new Error('the signing key was removed while the handoff was checked')
      const envelope = makeEnvelope({ handoff: whole, governanceFiles, signer, at, previous })
      const { diagnostics, requirements } = judgement
      const made = { handoff: whole, envelope }
      return { ...facts, answer: 'sent', diagnostics, requirements, receipt, made }
    }
    // A quarantine or approval changed while this handoff was being checked.
    if (judgement.seen.some(({ key }) => key === receipt.taken)) return send(draft, decisionContext)
    return refuse(asSentBefore(judgement, receipt, decisionContext), {
      draft,
      decisionContext,
      facts,
    })
  }
  return refuse(judgement, { draft, decisionContext, facts })
}

function signerOf({ source_agent }: AgentHandoff, { gateway, at }: DecisionContext) {
  return gateway.keys.signer('agent', source_agent.agent_id, at)
}

function backingOf(
  handoff: AgentHandoff | undefined,
  diagnostics: readonly Diagnostic[],
  decisionContext: DecisionContext,
): Backing {
  const none = { signed: false, unsignedAllowed: false, envelope: null }
  if (!handoff) return { ...none, diagnostics }
  if (signerOf(handoff, decisionContext)) return { ...none, diagnostics, signed: true }
  const { agent_id: source } = handoff.source_agent
  const isListed = readTrust(decisionContext.gateway.config).of('agent', source).length > 0
  const noKey = finding(
    'gateway/no-key',
    `no private key here is listed in waybill.yaml for the source agent '${source}' at this time`,
    isListed
      ? `send from the clone that holds it, or create a new one here: waybill key rotate ${source}`
      : 'run waybill init to create one, then commit waybill.yaml',
  )
  return { ...none, diagnostics: [...diagnostics, noKey] }
}

/** The entry holds the full handoff, except for the audit trail that will name the entry. */
function recordSent(
  handoff: AgentHandoff,
  judgement: Judgement,
  { read, previous }: Draft,
  { gateway }: DecisionContext,
): Promise<Receipt | Taken> {
  const { attestation } = judgement
  const { audit_trail: _, ...governance } = handoff.governance
  const document = { ...handoff, governance }
  const digest = digestValue(document)
  if (typeof digest !== 'string' || !attestation)
    throw new TypeError('only a fully checked handoff can be recorded')
  const { source_agent, target_agent, handoff_id } = handoff
  const [from, to] = [source_agent.agent_id, target_agent.agent_id]
  return gateway.record('handoff-sent', {
    subject: [
      { name: APPROVED.handoff, digest: { sha256: digest } },
      ...approvableDraft(read?.value).map(sha256 => ({ name: APPROVED.draft, digest: { sha256 } })),
    ],
    ids: {
      ...idsToFind(judgement, { handoff: handoff_id }),
      ...(previous !== undefined && { previous }),
    },
    agents: [from, to],
    says: { from, to, attestation, document },
    seen: judgement.seen,
  })
}

function asSentBefore(
  judgement: Judgement,
  { digest }: Taken,
  { gateway }: DecisionContext,
): Judgement {
  const before: Diagnostic = {
    code: 'agent-handoff/not-replayed',
    severity: 'error',
    path: '/handoff_id',
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
    message: `a handoff with this id was sent before, as '${gateway.origin}#${digest}'`,
    hint: 'remove the id from the draft to get a new one',
  }
  return {
    ...judgement,
    answer: 'rejected',
    diagnostics: [...judgement.diagnostics, before],
    requirements: [],
  }
}

interface Refusing {
  readonly draft: Draft
  readonly decisionContext: DecisionContext
  readonly facts: Pick<Sent, 'at' | 'claims' | 'attestation' | 'quarantined' | 'rulesAdded'>
}

async function refuse(
  judgement: Judgement,
  { draft, decisionContext, facts }: Refusing,
): Promise<Sent> {
  const { answer, requirements } = judgement
  const diagnostics = withoutConsequences(judgement.diagnostics)
  const { source, target } = facts.claims
  const isPlain = source !== undefined && target !== undefined
  const about = {
    subject: [{ name: 'draft', digest: { sha256: draft.bytes } }],
    ids: idsToFind(judgement, facts.claims),
    agents: [source, target].filter(agent => agent !== undefined),
  }
  const says = {
    ...(source !== undefined && { from: source }),
    ...(target !== undefined && { to: target }),
    bytes: draft.bytes,
    attestation: isPlain ? facts.attestation : null,
    found: foundIn(diagnostics),
    ...(decisionContext.gateway.isTimeGiven && { timeGiven: true as const }),
  }
  const receipt =
    answer === 'needs-input'
      ? await decisionContext.gateway.record('handoff-needs-input', {
          ...about,
          says: { ...says, requirements },
        })
      : await decisionContext.gateway.record('handoff-rejected', {
          ...about,
          says: { ...says, stage: 'send' },
        })
  if ('taken' in receipt) throw new Error('a refusal has no unique key')
  const refused = answer === 'needs-input' ? answer : 'rejected'
  return { ...facts, answer: refused, diagnostics, requirements, receipt, made: undefined }
}
