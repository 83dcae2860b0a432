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

/** A received handoff. */
export interface Brought {
  /** The one handoff that was parsed; absent for none or several. */
  readonly read: ReadHandoff | undefined
  /** Hex SHA-256 of the document's bytes, or of the bytes read if it is too long. */
  readonly bytes: string
  /** The envelope; absent if none came with the document. */
  readonly envelope: EnvelopeText | undefined
  /** The receiving agent, if the caller named it. */
  readonly as: string | undefined
  /** The file name as given, for hints; absent for standard input. */
  readonly name?: string | undefined
}

/** The result of receiving a handoff. */
export interface Received extends Passage {
  readonly answer: Answer
  /** The handoff, if its structure is valid. */
  readonly handoff: AgentHandoff | undefined
}

/**
 * Receives one handoff: verifies it, records the answer, then returns it.
 *
 * @throws {WaybillError} when the answer cannot be recorded: a handoff that is not in the log is not accepted.
 */
export async function receive(
  brought: Brought,
  decisionContext: DecisionContext,
): Promise<Received> {
  const { read } = brought
  const claims = claimsOf(read?.document.faults.length === 0 ? read.value : undefined)
  const isBare = !read || isEnvelope(read.value)
  // Read the log's size before any lookup, so that recording detects newer entries.
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
  // Record the event first: a caller who sees the answer may rely on the quarantine.
  const signed = judgement.mismatch.stated ? await signedJustNow(own) : undefined
  const quarantined = await recordMismatch(judgement, decisionContext.gateway, { claims, signed })
  const recorded = await recordAnswer(judgement, own)
  // A quarantine or approval changed while this handoff was being checked.
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

/** Whether the caller named the envelope instead of the document. */
function isEnvelope(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return ['payload', 'payloadType', 'signatures'].every(key => Object.hasOwn(value, key))
}

const ENVELOPE = '.dsse.json'

function tookEnvelope(name: string | undefined): Diagnostic {
  const document = name?.endsWith(ENVELOPE) ? `${name.slice(0, -ENVELOPE.length)}.json` : undefined
  return finding(
    'gateway/no-handoff',
    `this is the envelope of ${document ?? 'a handoff'}, not a handoff`,
    `name the document: waybill receive ${document ?? '<document>'}; the envelope next to it is used`,
  )
}

/** One handoff being received. */
interface Own {
  readonly brought: Brought
  readonly decisionContext: DecisionContext
  readonly claims: Claims
  readonly opened: OpenedEnvelopes | undefined
  verified: VerifiedEnvelope | undefined
  digest: ReturnType<typeof digestValue> | undefined
}

/**
 * Verifies the envelope of a document, even an invalid one: its source may have signed it. The document states the
 * audience; a different recipient is reported separately.
 */
function verify(
  own: Own,
  value: unknown,
  handoff: AgentHandoff | undefined,
): VerifiedEnvelope | undefined {
  const { opened, claims, decisionContext } = own
  const source = handoff?.source_agent.agent_id ?? claims.source
  // Without a source in the document, the expected signer is unknown.
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

/** The digest of the document, for the envelope and the entry. */
function digestOf(value: unknown, own: Own): ReturnType<typeof digestValue> {
  own.digest ??= digestValue(value)
  return own.digest
}

/**
 * The digest of what the source agent signed about this document for this handoff. Absent if unsigned, and for a copy
 * of an accepted one: its hashes were right then, and the lockfile changed since.
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
    // An envelope that is present must be valid, even if the agent may send without one.
    unsignedAllowed: false,
    envelope: { sha256: verified.sha256, keys: verified.keys },
  }
}

/** Why an unsigned document of an agent is refused; empty if it is accepted. */
function whyBare(
  source: string,
  { gateway, standing: { committed } }: DecisionContext,
): Diagnostic[] {
  const isListed = ({ unsigned }: Config) => unsigned?.includes(source) === true
  if (!isListed(gateway.config)) return [noEnvelope(source)]
  if (!committed || isListed(committed)) return []
  return [uncommittedTrust(`the entry of '${source}' under unsigned:`)]
}

function whyMisdirected({ target_agent }: AgentHandoff, as: string | undefined): Diagnostic[] {
  if (as === undefined || as === target_agent.agent_id) return []
  const message = `the handoff is for '${target_agent.agent_id}', not for '${as}'`
  return [finding('envelope/wrong-audience', message, 'forward it to the agent it is for')]
}

const REPLAYED = 'agent-handoff/not-replayed'

interface Recorded {
  readonly judgement: Judgement
  readonly receipt: Receipt
}

/**
 * Records the answer; if several accept one id concurrently, the log takes one and the others are refused. Records
 * nothing and returns nothing if new entries require a new decision.
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
    hint: 'to repeat the work, ask the sender to send it with a new id',
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

/** Record only well-formed values of a refused handoff. */
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
