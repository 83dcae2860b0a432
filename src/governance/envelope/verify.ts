import { verify as verifySignature } from 'node:crypto'
import { type Diagnostic, listed, quote } from '../../contract/index.ts'
import { parseInstant } from '../../document/index.ts'
import {
  type Envelope,
  type EnvelopeSignature,
  fromBase64,
  paeOf,
  parseEnvelope,
  parseStatement,
  STATEMENT_PAYLOAD,
} from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { finding } from '../handoff/finding.ts'
import { holderText } from '../trust/holder.ts'
import { standing, type Trust, type TrustedKey } from '../trust/trust.ts'
import type { EnvelopeCode } from './codes.ts'
import { type HandoffStatement, isHandoffStatement, subjectOf } from './statement.ts'

/** The text of an envelope, or its size if it is too large to be read. */
export type EnvelopeText = string | { readonly bytes: number }

/** A parsed envelope with its signatures checked against the listed keys, or why it is malformed. */
export type OpenedEnvelope = { readonly sha256: string } & (
  | { readonly malformed: Diagnostic }
  | {
      readonly envelope: Envelope
      readonly payload: Uint8Array
      readonly signatures: readonly CheckedSignature[]
    }
)

/** The key of a valid signature, even if the key is expired or revoked, or why the signature is invalid. */
type CheckedSignature = TrustedKey | Diagnostic

/** The facts that an envelope is verified against. */
export interface EnvelopeGround {
  /** Gateway time, in milliseconds since the epoch. */
  readonly at: number
  /** The source and target agents that the document names. */
  readonly source: string
  readonly target: string
  /** Digests, hex SHA-256: of the document's canonical JSON, and of the bytes of the local lock and manifest. */
  readonly handoff: string
  readonly lock: string | null
  readonly manifest: string | null
}

/** The result of verifying an envelope. */
export interface VerifiedEnvelope {
  readonly diagnostics: readonly Diagnostic[]
  /** Digest of the envelope's text, and the ids of the keys with valid signatures. */
  readonly sha256: string
  readonly keys: readonly string[]
  /** The envelope, to be recorded with an accepted handoff. */
  readonly envelope: Envelope | undefined
  /** The signed digest of the previous handoff in the conversation. */
  readonly previous: string | undefined
  /**
   * Whether the source agent signed this document within the time window: signatures, keys, document and time are
   * valid. Audience, manifest and lock may still differ.
   */
  readonly authentic: boolean
}

const LONGEST_WINDOW = 600_000
const MOST_SKEW = 30_000
/** Limits the cost of verification; one signature is enough. */
const MOST_SIGNATURES = 16

/** Codes that do not affect `authentic`. */
const LEAVES_OPEN: readonly string[] = [
  'envelope/lock-differs',
  'envelope/manifest-differs',
  'envelope/wrong-audience',
] satisfies EnvelopeCode[]

/**
 * Parses an envelope and checks every signature in it against the listed keys.
 *
 * This is the slowest step and needs only the text, so it runs on other threads, before any check against the log.
 */
export async function openEnvelope(given: EnvelopeText, trust: Trust): Promise<OpenedEnvelope> {
  const text = typeof given === 'string' ? given : ''
  const digest = sha256(text)
  const refused = (code: EnvelopeCode, message: string) => ({
    sha256: digest,
    malformed: fault(code, message),
  })
  if (typeof given !== 'string')
    return refused('envelope/too-large', `the envelope has ${given.bytes} bytes`)
  // An editor may have added a line end.
  const envelope = parseEnvelope(text.replace(/\r?\n$/, ''))
  if ('fault' in envelope) return refused('envelope/malformed', envelope.fault)
  if (envelope.signatures.length > MOST_SIGNATURES) {
    const many = `the envelope has more than ${MOST_SIGNATURES} signatures`
    return refused('envelope/malformed', many)
  }
  const payload = fromBase64(envelope.payload)
  if (!payload || envelope.payloadType !== STATEMENT_PAYLOAD) {
    const type = quote(envelope.payloadType)
    return refused('envelope/malformed-statement', `the payload is ${type}, not a statement`)
  }
  const message = paeOf(envelope.payloadType, payload)
  const checked = envelope.signatures.map(one => checkSignature(one, message, trust))
  return { sha256: digest, envelope, payload, signatures: await Promise.all(checked) }
}

/** Verifies the envelope of a handoff: every signature, and every signed claim. */
export function verifyEnvelope(opened: OpenedEnvelope, ground: EnvelopeGround): VerifiedEnvelope {
  const base = {
    sha256: opened.sha256,
    keys: [],
    envelope: undefined,
    previous: undefined,
    authentic: false,
  }
  if ('malformed' in opened) return { ...base, diagnostics: [opened.malformed] }
  const { envelope, payload, signatures } = opened
  const checked = signatures.map(one => ('keyid' in one ? countedAt(one, ground.at) : one))
  const good = checked.flatMap(one => ('keyid' in one ? [one] : []))
  const diagnostics = checked.flatMap(one => ('keyid' in one ? [] : [one]))
  // Only valid signatures can prove the source agent.
  if (diagnostics.length === 0 && !good.some(key => isSource(key, ground.source)))
    diagnostics.push(wrongAgent(good, ground.source))
  const statement = parseStatement(payload)
  let previous: string | undefined
  if ('fault' in statement) diagnostics.push(fault('envelope/malformed-statement', statement.fault))
  else if (!isHandoffStatement(statement)) {
    diagnostics.push(
      fault('envelope/malformed-statement', 'the payload is not a statement about a handoff'),
    )
  } else {
    diagnostics.push(...statementFaults(statement, ground))
    previous = statement.predicate.prev ?? undefined
  }
  return {
    ...base,
    previous,
    keys: good.map(({ keyid }) => keyid),
    envelope,
    diagnostics,
    authentic: diagnostics.every(({ code }) => LEAVES_OPEN.includes(code)),
  }
}

/** Returns the finding for a handoff without an envelope. */
export function noEnvelope(source: string): Diagnostic {
  return fault(
    'envelope/unsigned',
    `the handoff of ${quote(source)} has no signed envelope, and waybill.yaml does not list that agent under unsigned:`,
  )
}

const HINTS: Readonly<Partial<Record<EnvelopeCode, string>>> = {
  'envelope/unsigned':
    'put the .dsse.json file of the sender next to the document, or name it with --envelope',
  'envelope/untrusted-key':
    'ask a person who knows the sender to list the key under trust: in waybill.yaml; a key in the envelope proves nothing',
  'envelope/manifest-differs':
    'bring both sides to the same commit, then ask the sender to send again',
  'envelope/lock-differs': 'bring both sides to the same commit, then ask the sender to send again',
}

function fault(code: EnvelopeCode, message: string): Diagnostic {
  return finding(code, message, HINTS[code] ?? 'ask the source agent to send it again')
}

/** Returns the key of a valid signature, or why it is invalid. Only listed keys count, never one from the envelope. */
async function checkSignature(
  { keyid, sig }: EnvelopeSignature,
  message: Uint8Array,
  trust: Trust,
): Promise<CheckedSignature> {
  const key = trust.byId(keyid)
  if (!key) {
    return fault(
      'envelope/untrusted-key',
      `the key ${short(keyid)} is not listed under trust: in waybill.yaml`,
    )
  }
  if (key.publicKey.algorithm !== 'ecdsa-p256' || key.holder.kind === 'log')
    return fault('envelope/wrong-algorithm', `${whose(key)} is not a P-256 key for envelopes`)
  const signature = fromBase64(sig) ?? new Uint8Array()
  if (!isDer(signature))
    return fault(
      'envelope/wrong-algorithm',
      `the signature by ${whose(key)} is not an ECDSA signature in DER`,
    )
  if (await isSignature(message, key, signature)) return key
  return fault(
    'envelope/bad-signature',
    `the signature by ${whose(key)} does not match the payload`,
  )
}

const whose = ({ keyid, holder }: TrustedKey) => `the key ${short(keyid)} of ${holderText(holder)}`

/** Returns the key of a valid signature if it is valid at a time, or why it is not. */
function countedAt(key: TrustedKey, at: number): CheckedSignature {
  switch (standing(key, at)) {
    case 'valid':
      return key
    case 'not-yet':
      return fault('envelope/key-not-yet-valid', `${whose(key)} is not valid yet`)
    case 'expired':
      return fault('envelope/key-expired', `${whose(key)} has expired`)
    case 'revoked':
      return fault('envelope/key-revoked', `${whose(key)} was revoked`)
  }
}

/** Whether a DER signature is by a key; false if it cannot be verified. */
function isSignature(
  message: Uint8Array,
  { publicKey }: TrustedKey,
  signature: Uint8Array,
): Promise<boolean> {
  return new Promise<boolean>((resolve, reject) => {
    verifySignature('sha256', message, publicKey.key, signature, (error, isGood) =>
      error ? reject(error) : resolve(isGood),
    )
  }).catch(() => false)
}

const DER_SEQUENCE = 0x30
/** Two integers of 32 bytes, each with at most one leading zero, and their headers. */
const LONGEST_DER = 72

function isDer(signature: Uint8Array): boolean {
  return (
    signature.length <= LONGEST_DER &&
    signature[0] === DER_SEQUENCE &&
    signature[1] === signature.length - 2
  )
}

function isSource({ holder }: TrustedKey, source: string): boolean {
  return holder.kind === 'agent' && holder.name === source
}

function wrongAgent(good: readonly TrustedKey[], source: string): Diagnostic {
  const signers = listed(good.map(({ holder }) => holderText(holder)))
  return fault(
    'envelope/wrong-agent',
    `the envelope is signed by ${signers}, not by the source agent ${quote(source)}`,
  )
}

function* statementFaults(
  statement: HandoffStatement,
  { at, handoff, lock, manifest, target }: EnvelopeGround,
): Generator<Diagnostic> {
  const { aud, iat, exp } = statement.predicate
  if (subjectOf(statement, 'handoff') !== handoff) {
    yield fault('envelope/wrong-subject', 'the envelope was signed for another document')
  }
  if (lock !== null && subjectOf(statement, 'prompt-lock') !== lock)
    yield fault('envelope/lock-differs', 'the sender used another prompt lock than the one here')
  if (manifest !== null && subjectOf(statement, 'prompt-manifest') !== manifest) {
    yield fault(
      'envelope/manifest-differs',
      'the sender used another prompt manifest than the one here',
    )
  }
  if (aud !== target) {
    yield fault(
      'envelope/wrong-audience',
      `the envelope is addressed to ${quote(aud)}, not to ${quote(target)}`,
    )
  }
  const [issued, ends] = [parseInstant(iat), parseInstant(exp)]
  if (issued === undefined || ends === undefined) {
    yield fault('envelope/malformed-time', 'its iat and exp are not times with a time zone')
    return
  }
  if (!(ends - issued <= LONGEST_WINDOW && ends > issued)) {
    const most = LONGEST_WINDOW / 1000
    yield fault('envelope/window-too-long', `its exp is not within ${most} seconds after its iat`)
  }
  if (!(issued <= at + MOST_SKEW))
    yield fault(
      'envelope/issued-in-future',
      `the envelope was issued at ${iat}, which is in the future`,
    )
  if (!(at <= ends)) yield fault('envelope/expired', `the envelope expired at ${exp}`)
}

/** Returns the beginning of a key id; quotes anything else, which may be a credential, safely. */
function short(keyid: string): string {
  return quote(/^[0-9a-f]{13,}$/.test(keyid) ? `${keyid.slice(0, 12)}…` : keyid)
}
