import type { Diagnostic } from '../../contract/index.ts'
import type { AgentHandoff } from '../../contracts/index.ts'
import { formatInstant } from '../../document/index.ts'
import { fromBase64, type Receipt, type Subject, type Taken } from '../../ledger/index.ts'
import { type Config, sha256 } from '../../workspace/index.ts'
import { digestValue } from '../digest.ts'
import { acceptedKey } from '../entries/keys.ts'
import type { Attestation } from '../entries/predicates.ts'
import { type EnvelopeText, noEnvelope, type VerifiedEnvelope } from '../envelope/verify.ts'
import { approvableOf } from '../handoff/approvals.ts'
import type { ReadHandoff } from '../handoff/check.ts'
import { type Claims, claimsOf } from '../handoff/claims.ts'
import { finding } from '../handoff/finding.ts'
import { foundIn } from '../handoff/found.ts'
import {
  type Answer,
  type Backing,
  type DecisionContext,
  type Judgement,
  judge,
  NOTHING_READ,
} from '../handoff/judge.ts'
import { recordMismatch } from '../handoff/mismatch.ts'
import { idsToFind } from '../handoff/named-ids.ts'
import type { Passage } from '../handoff/passage.ts'
import { type OpenedEnvelopes, openReviewed, uncommittedTrust, verifyReviewed } from './reviewed.ts'

/** What came in. */
export interface Brought {
  /** The one handoff that was read; absent where there is none, or several. */
  readonly read: ReadHandoff | undefined
  /** Hex SHA-256 of the document's bytes, or of their beginning where there are too many to read. */
  readonly bytes: string
  /** Absent where none came along. */
  readonly envelope: EnvelopeText | undefined
  /** The agent that receives, if the caller has said so. */
  readonly as: string | undefined
  /** The file as it was named, to say what it is taken for; absent for standard input. */
  readonly name?: string | undefined
}

/** What came of receiving a handoff. */
export interface Received extends Passage {
  readonly answer: Answer
  /** The handoff, if its structure is sound. */
  readonly handoff: AgentHandoff | undefined
}

/**
 * Receives one handoff: verifies everything, records the answer, and only then gives it.
 *
 * @throws WaybillError when the answer cannot be recorded: what is not in the log was not accepted.
 */
export async function receive(
  brought: Brought,
  decisionContext: DecisionContext,
): Promise<Received> {
  const { read } = brought
  const claims = claimsOf(read?.document.faults.length === 0 ? read.value : undefined)
  const isBare = !read || isEnvelope(read.value)
  // Before anything is asked of the log, so that what it says then is still so when the answer is recorded.
  const opened = isBare ? undefined : await openReviewed(brought.envelope, decisionContext)
  const own: Own = {
    brought,
    decisionContext,
    claims,
    opened,
    verified: undefined,
    digest: undefined,
  }
  const judgement = !read
    ? NOTHING_READ
    : isEnvelope(read.value)
      ? { ...NOTHING_READ, diagnostics: [tookEnvelope(brought.name)] }
      : await judge(
          {
            read,
            claims,
            once: claims.handoff && acceptedKey(claims.handoff),
            approvable: handoff => approvableOf(decisionContext.gateway.log, handoff),
            backing: handoff => {
              own.verified = verify(own, read.value, handoff)
              return backingOf(own, handoff)
            },
          },
          decisionContext,
        )
  // The event comes first: whoever sees the answer may count on it that the agent is kept out.
  const signed = judgement.mismatch.stated ? await signedJustNow(own) : undefined
  const quarantined = await recordMismatch(judgement, decisionContext.gateway, { claims, signed })
  const recorded = await recordAnswer(judgement, own)
  // Somebody was accused or let out, or has approved or rejected it, while this was judged.
  if (!recorded) return receive(brought, decisionContext)
  const { answer, diagnostics, requirements, attestation, handoff } = recorded.judgement
  return {
    answer,
    at: formatInstant(decisionContext.at),
    claims,
    handoff,
    attestation,
    diagnostics,
    requirements,
    quarantined,
    receipt: recorded.receipt,
  }
}

/** Whether somebody named the envelope for the document. */
function isEnvelope(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return ['payload', 'payloadType', 'signatures'].every(key => Object.hasOwn(value, key))
}

const ENVELOPE = '.dsse.json'

function tookEnvelope(name: string | undefined): Diagnostic {
  const document = name?.endsWith(ENVELOPE) ? `${name.slice(0, -ENVELOPE.length)}.json` : undefined
  return finding(
    'gateway/no-handoff',
    `this is the envelope of ${document ?? 'a handoff'}, and no handoff`,
    `name the document: waybill receive ${document ?? '<document>'}; its envelope is found beside it`,
  )
}

/** One handoff on its way through. */
interface Own {
  readonly brought: Brought
  readonly decisionContext: DecisionContext
  readonly claims: Claims
  readonly opened: OpenedEnvelopes | undefined
  verified: VerifiedEnvelope | undefined
  digest: ReturnType<typeof digestValue> | undefined
}

/**
 * Verifies the envelope of a document, a faulty one too: its source may have signed it all the same. For whom it is says
 * the document; that somebody else receives it is told apart.
 */
function verify(
  own: Own,
  value: unknown,
  handoff: AgentHandoff | undefined,
): VerifiedEnvelope | undefined {
  const { opened, claims, decisionContext } = own
  const source = handoff?.source_agent.agent_id ?? claims.source
  // Of a document that does not say whose it is nobody can say who should have signed it.
  if (!opened || source === undefined) return undefined
  const digest = digestOf(value, own)
  const { manifest, lock } = decisionContext.governanceFiles
  return verifyReviewed(opened, {
    at: decisionContext.at,
    source,
    target: handoff?.target_agent.agent_id ?? claims.target ?? '',
    handoff: typeof digest === 'string' ? digest : '',
    lock: 'missing' in lock ? null : lock.sha256,
    manifest: 'missing' in manifest ? null : manifest.sha256,
  })
}

/** The digest of the document; the envelope and the entry ask for it. */
function digestOf(value: unknown, own: Own): ReturnType<typeof digestValue> {
  own.digest ??= digestValue(value)
  return own.digest
}

/**
 * The digest of what the source agent has signed about this document just now. Absent where it has not, and of a copy of
 * what was accepted before: then its hashes were right, and only since are others locked.
 */
async function signedJustNow(own: Own): Promise<string | undefined> {
  const { verified, claims, digest, decisionContext } = own
  const payload = verified?.authentic ? fromBase64(verified.envelope?.payload ?? '') : undefined
  if (!payload) return undefined
  const { log } = decisionContext.gateway
  const [accepted] = claims.handoff ? await log.find(acceptedKey(claims.handoff)) : []
  const isCopy = accepted !== undefined && (await log.find(`digest:${digest}`)).includes(accepted)
  return isCopy ? undefined : sha256(payload)
}

function backingOf(
  { brought, decisionContext, verified }: Own,
  handoff: AgentHandoff | undefined,
): Backing {
  if (!handoff) return { diagnostics: [], signed: false, unsignedAllowed: false, envelope: null }
  const { agent_id: source } = handoff.source_agent
  const misdirected = whyMisdirected(handoff, brought.as)
  if (!verified) {
    const missing = whyBare(source, decisionContext)
    const diagnostics = [...missing, ...misdirected]
    const unsignedAllowed = missing.length === 0
    return { diagnostics, signed: false, unsignedAllowed, envelope: null }
  }
  return {
    diagnostics: [...verified.diagnostics, ...misdirected],
    signed: verified.diagnostics.length === 0,
    // An envelope that is there has to be good, whoever may do without one.
    unsignedAllowed: false,
    envelope: { sha256: verified.sha256, keys: verified.keys },
  }
}

/** Why a bare document of an agent is not taken; empty where it is. */
function whyBare(
  source: string,
  { gateway, standing: { committed } }: DecisionContext,
): Diagnostic[] {
  const isListed = ({ unsigned }: Config) => unsigned?.includes(source) === true
  if (!isListed(gateway.config)) return [noEnvelope(source)]
  if (!committed || isListed(committed)) return []
  return [uncommittedTrust(`that '${source}' stands under unsigned:`)]
}

function whyMisdirected({ target_agent }: AgentHandoff, as: string | undefined): Diagnostic[] {
  if (as === undefined || as === target_agent.agent_id) return []
  const message = `the handoff is for '${target_agent.agent_id}', and '${as}' receives it`
  return [finding('envelope/wrong-audience', message, 'pass it on to the agent that it is for')]
}

const REPLAYED = 'agent-handoff/not-replayed'

interface Recorded {
  readonly judgement: Judgement
  readonly receipt: Receipt
}

/**
 * Records the answer; of several who accept one id at once, the log takes one, and the others are refused. Nothing is
 * recorded and given where the log holds by now what it has to be judged by anew.
 */
async function recordAnswer(judgement: Judgement, own: Own): Promise<Recorded | undefined> {
  const receipt = await append(judgement, own)
  if (!('taken' in receipt)) return { judgement, receipt }
  if (judgement.seen.some(({ key }) => key === receipt.taken)) return undefined
  const refused = asReplayed(judgement, receipt, own)
  const second = await append(refused, own)
  if ('taken' in second) throw new Error('a rejection has no unique key')
  return { judgement: refused, receipt: second }
}

function asReplayed(
  judgement: Judgement,
  { digest }: Taken,
  { decisionContext, claims }: Own,
): Judgement {
  const replayed: Diagnostic = {
    code: REPLAYED,
    severity: 'error',
    path: '/handoff_id',
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
    message: `the handoff '${claims.handoff}' was recorded before, as '${decisionContext.gateway.origin}#${digest}'`,
    hint: 'if the work is to be done again, let the sender hand over with a new id',
  }
  return {
    ...judgement,
    answer: 'rejected',
    diagnostics: [...judgement.diagnostics, replayed],
    requirements: [],
  }
}

function append(judgement: Judgement, own: Own): Promise<Receipt | Taken> {
  const { answer, handoff, attestation, diagnostics, requirements } = judgement
  const { brought, decisionContext, claims, verified } = own
  const about = {
    subject: subjectsOf(own, handoff),
    ids: idsToFind(judgement, claims),
    agents: [claims.source, claims.target].filter(agent => agent !== undefined),
  }
  const says = {
    ...(claims.source !== undefined && { from: claims.source }),
    ...(claims.target !== undefined && { to: claims.target }),
    bytes: brought.bytes,
    attestation: attestationOf(attestation, own),
    found: foundIn(diagnostics),
    ...(decisionContext.gateway.isTimeGiven && { timeGiven: true as const }),
  }
  switch (answer) {
    case 'accepted': {
      const envelope = verified?.envelope ?? null
      const previous = verified?.previous
      return decisionContext.gateway.record('handoff-accepted', {
        ...about,
        ids: { ...about.ids, ...(previous !== undefined && { previous }) },
        says: { ...says, document: handoff, envelope },
        seen: judgement.seen,
      })
    }
    case 'needs-input':
      return decisionContext.gateway.record('handoff-needs-input', {
        ...about,
        says: { ...says, requirements },
      })
    case 'rejected':
      return decisionContext.gateway.record('handoff-rejected', {
        ...about,
        says: { ...says, stage: 'receive' },
      })
  }
}

/** Of a refused handoff nothing is repeated that is not known to be well-formed. */
function attestationOf(attestation: Attestation | null, { claims }: Own): Attestation | null {
  const isPlain = claims.source !== undefined && claims.target !== undefined
  return isPlain ? attestation : null
}

function subjectsOf(own: Own, handoff: AgentHandoff | undefined): readonly Subject[] {
  const document: Subject = { name: 'document', digest: { sha256: own.brought.bytes } }
  const digest = handoff && digestOf(handoff, own)
  return typeof digest === 'string'
    ? [{ name: 'handoff', digest: { sha256: digest } }, document]
    : [document]
}
