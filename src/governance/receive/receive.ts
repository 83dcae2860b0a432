import type { Diagnostic } from '../../contract/index.ts'
import type { AgentHandoff } from '../../contracts/index.ts'
import { formatInstant } from '../../document/index.ts'
import type { Receipt, Subject, Taken } from '../../ledger/index.ts'
import type { Config } from '../../workspace/index.ts'
import { digestValue } from '../digest.ts'
import { acceptedKey } from '../entries/keys.ts'
import type { Attestation } from '../entries/predicates.ts'
import {
  type EnvelopeGround,
  noEnvelope,
  type VerifiedEnvelope,
  verifyEnvelope,
} from '../envelope/verify.ts'
import { approvableOf } from '../handoff/approvals.ts'
import type { ReadHandoff } from '../handoff/check.ts'
import { type Claims, claimsOf } from '../handoff/claims.ts'
import { finding } from '../handoff/finding.ts'
import { foundIn } from '../handoff/found.ts'
import {
  type Answer,
  type Backing,
  type Bench,
  type Judgement,
  judge,
  NOTHING_READ,
} from '../handoff/judge.ts'
import { recordMismatch } from '../handoff/mismatch.ts'
import type { Passage } from '../handoff/passage.ts'
import { readTrust, type Trust } from '../trust/trust.ts'

/** What came in. */
export interface Brought {
  /** The one handoff that was read; absent where there is none, or several. */
  readonly read: ReadHandoff | undefined
  /** Hex SHA-256 of the document's bytes, or of their beginning where there are too many to read. */
  readonly bytes: string
  /** The text of the envelope; absent where none came along. */
  readonly envelope: string | undefined
  /** The agent that receives, if the caller has said so. */
  readonly as: string | undefined
  /** That the time was given by hand. */
  readonly timeGiven: boolean
  /** The name of the file, to say what it is taken for; absent for standard input. */
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
export async function receive(brought: Brought, bench: Bench): Promise<Received> {
  const { read } = brought
  const claims = claimsOf(read?.document.faults.length === 0 ? read.value : undefined)
  const own: Own = { brought, bench, claims, verified: undefined }
  const judgement = !read
    ? NOTHING_READ
    : isEnvelope(read.value)
      ? { ...NOTHING_READ, diagnostics: [tookEnvelope(brought.name)] }
      : await judge(
          {
            read,
            claims,
            once: claims.handoff && acceptedKey(claims.handoff),
            approvable: handoff => approvableOf(bench.gateway.log, handoff),
            backing: handoff => {
              own.verified = verify(brought, bench, handoff)
              return backingOf(own, handoff)
            },
          },
          bench,
        )
  // The event comes first: whoever sees the answer may count on it that the agent is kept out.
  const quarantined = await recordMismatch(judgement, bench.gateway, {
    isAuthentic: own.verified?.authentic === true && !isReplayed(judgement),
  })
  const recorded = await recordAnswer(judgement, own)
  const { answer, diagnostics, requirements, attestation, handoff } = recorded.judgement
  return {
    answer,
    at: formatInstant(bench.at),
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
  readonly bench: Bench
  readonly claims: Claims
  verified: VerifiedEnvelope | undefined
}

function verify(
  { envelope, as }: Brought,
  { gateway, surroundings, standing: { committed }, at }: Bench,
  handoff: AgentHandoff | undefined,
): VerifiedEnvelope | undefined {
  // Of a document that is no handoff nobody can say what the envelope should be about.
  if (envelope === undefined || !handoff) return undefined
  const digest = digestValue(handoff)
  const { manifest, lock } = surroundings
  const ground: EnvelopeGround = {
    trust: gateway.trust,
    at,
    source: handoff.source_agent.agent_id,
    target: as ?? handoff.target_agent.agent_id,
    handoff: typeof digest === 'string' ? digest : '',
    lock: 'missing' in lock ? null : lock.sha256,
    manifest: 'missing' in manifest ? null : manifest.sha256,
  }
  const verified = verifyEnvelope(envelope, ground)
  if (!committed || verified.diagnostics.length > 0) return verified
  const reviewed = verifyEnvelope(envelope, { ...ground, trust: trustIn(committed) })
  if (reviewed.diagnostics.length === 0) return verified
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

function uncommittedTrust(what: string): Diagnostic {
  return finding(
    'gateway/uncommitted-trust',
    `${what} counts in waybill.yaml as it is, and does not in waybill.yaml as committed`,
    'look at the change with git diff waybill.yaml, and commit it',
  )
}

function backingOf({ brought, bench, verified }: Own, handoff: AgentHandoff | undefined): Backing {
  if (!handoff) return { diagnostics: [], signed: false, unsignedAllowed: false, envelope: null }
  const { agent_id: source } = handoff.source_agent
  const misdirected = whyMisdirected(handoff, brought.as)
  if (!verified) {
    const missing = whyBare(source, bench)
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
function whyBare(source: string, { gateway, standing: { committed } }: Bench): Diagnostic[] {
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

function isReplayed({ diagnostics }: Judgement): boolean {
  return diagnostics.some(({ code }) => code === REPLAYED)
}

const REPLAYED = 'agent-handoff/not-replayed'

interface Recorded {
  readonly judgement: Judgement
  readonly receipt: Receipt
}

/** Records the answer; of several who accept one id at once, the log takes one, and the others are refused. */
async function recordAnswer(judgement: Judgement, own: Own): Promise<Recorded> {
  const receipt = await append(judgement, own)
  if (!('taken' in receipt)) return { judgement, receipt }
  const refused = asReplayed(judgement, receipt, own)
  const second = await append(refused, own)
  if ('taken' in second) throw new Error('a rejection has no unique key')
  return { judgement: refused, receipt: second }
}

function asReplayed(judgement: Judgement, { digest }: Taken, { bench, claims }: Own): Judgement {
  const replayed: Diagnostic = {
    code: REPLAYED,
    severity: 'error',
    path: '/handoff_id',
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
    message: `the handoff '${claims.handoff}' was recorded before, as '${bench.gateway.origin}#${digest}'`,
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
  const { brought, bench, claims, verified } = own
  const about = {
    subject: subjectsOf(brought, handoff),
    ids: claims.handoff === undefined ? {} : { handoff: claims.handoff },
    agents: [claims.source, claims.target].filter(agent => agent !== undefined),
  }
  const says = {
    ...(claims.source !== undefined && { from: claims.source }),
    ...(claims.target !== undefined && { to: claims.target }),
    bytes: brought.bytes,
    attestation: attestationOf(attestation, own),
    found: foundIn(diagnostics),
    ...(brought.timeGiven && { timeGiven: true as const }),
  }
  switch (answer) {
    case 'accepted': {
      const envelope = verified?.envelope ?? null
      const previous = verified?.previous
      return bench.gateway.record('handoff-accepted', {
        ...about,
        ids: { ...about.ids, ...(previous !== undefined && { previous }) },
        says: { ...says, document: handoff, envelope },
      })
    }
    case 'needs-input':
      return bench.gateway.record('handoff-needs-input', {
        ...about,
        says: { ...says, requirements },
      })
    case 'rejected':
      return bench.gateway.record('handoff-rejected', {
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

function subjectsOf({ bytes }: Brought, handoff: AgentHandoff | undefined): readonly Subject[] {
  const document: Subject = { name: 'document', digest: { sha256: bytes } }
  const digest = handoff && digestValue(handoff)
  return typeof digest === 'string'
    ? [{ name: 'handoff', digest: { sha256: digest } }, document]
    : [document]
}
