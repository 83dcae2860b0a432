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

/** The text of an envelope, or how many bytes there are where they are too many to be read. */
export type EnvelopeText = string | { readonly bytes: number }

/** An envelope as it was read, with its signatures checked against the listed keys, or why it is none. */
export type OpenedEnvelope = { readonly sha256: string } & (
  | { readonly malformed: Diagnostic }
  | {
      readonly envelope: Envelope
      readonly payload: Uint8Array
      readonly signatures: readonly CheckedSignature[]
    }
)

/** One signature: the key that it is by, whether or not that counts now, or why it is by none. */
type CheckedSignature = TrustedKey | Diagnostic

/** What an envelope is held against. */
export interface EnvelopeGround {
  /** Gateway time, milliseconds since 1970. */
  readonly at: number
  /** The agent in whose name the document speaks, and the one that it is for, as the document says. */
  readonly source: string
  readonly target: string
  /** Digests, hex SHA-256: of the document's canonical JSON, and of the bytes of lock and manifest here. */
  readonly handoff: string
  readonly lock: string | null
  readonly manifest: string | null
}

/** What came of verifying an envelope. */
export interface VerifiedEnvelope {
  readonly diagnostics: readonly Diagnostic[]
  /** Digest of the envelope's text, and the ids of the keys whose signatures are good. */
  readonly sha256: string
  readonly keys: readonly string[]
  /** As it is recorded with an accepted handoff. */
  readonly envelope: Envelope | undefined
  /** The handoff before this one in the conversation, by its digest, as it was signed. */
  readonly previous: string | undefined
  /**
   * Whether the source agent itself said exactly this, just now: signatures, keys, document and time are good. For
   * whom, and by what manifest or lock, is another matter.
   */
  readonly authentic: boolean
}

const LONGEST_WINDOW = 600_000
const MOST_SKEW = 30_000
/** Each costs a verification, and one is enough. */
const MOST_SIGNATURES = 16

/** Codes that speak of something else than whether the source agent itself said this just now. */
const LEAVES_OPEN: readonly string[] = [
  'envelope/lock-differs',
  'envelope/manifest-differs',
  'envelope/wrong-audience',
] satisfies EnvelopeCode[]

/**
 * Reads an envelope and checks every signature in it against the listed keys.
 *
 * This takes longer than all that is asked about an envelope later, and needs nothing but its text: other threads do it,
 * and what is going on in the log is looked at afterwards.
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
  // An editor may have added a line end; nothing else is passed over.
  const envelope = parseEnvelope(text.replace(/\r?\n$/, ''))
  if ('fault' in envelope) return refused('envelope/malformed', envelope.fault)
  if (envelope.signatures.length > MOST_SIGNATURES) {
    const many = `the envelope has more than ${MOST_SIGNATURES} signatures`
    return refused('envelope/malformed', many)
  }
  const payload = fromBase64(envelope.payload)
  if (!payload || envelope.payloadType !== STATEMENT_PAYLOAD) {
    const type = quote(envelope.payloadType)
    return refused('envelope/malformed-statement', `what was signed is ${type}, no statement`)
  }
  const message = paeOf(envelope.payloadType, payload)
  const checked = envelope.signatures.map(one => checkSignature(one, message, trust))
  return { sha256: digest, envelope, payload, signatures: await Promise.all(checked) }
}

/** Verifies the envelope that came with a handoff: every signature, and everything that was signed. */
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
  // The agent whose signature it should be is looked for among good signatures only.
  if (diagnostics.length === 0 && !good.some(key => isSource(key, ground.source)))
    diagnostics.push(wrongAgent(good, ground.source))
  const statement = parseStatement(payload)
  let previous: string | undefined
  if ('fault' in statement) diagnostics.push(fault('envelope/malformed-statement', statement.fault))
  else if (!isHandoffStatement(statement)) {
    diagnostics.push(
      fault('envelope/malformed-statement', 'what was signed is no statement about a handoff'),
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

/** What is said of a handoff that came without an envelope. */
export function noEnvelope(source: string): Diagnostic {
  return fault(
    'envelope/unsigned',
    `the handoff of ${quote(source)} came without a signed envelope, and waybill.yaml does not list that agent under unsigned:`,
  )
}

const HINTS: Readonly<Partial<Record<EnvelopeCode, string>>> = {
  'envelope/unsigned':
    'put the .dsse.json file of the sender beside the document, or name it with --envelope',
  'envelope/untrusted-key':
    'a person who knows the sender may list the key under trust: in waybill.yaml; a key in the envelope counts for nothing',
  'envelope/manifest-differs':
    'bring both sides to the same commit, then let the sender send again',
  'envelope/lock-differs': 'bring both sides to the same commit, then let the sender send again',
}

function fault(code: EnvelopeCode, message: string): Diagnostic {
  return finding(code, message, HINTS[code] ?? 'let the source agent hand over again')
}

/** The key of a good signature, or why it is none. The key is the listed one; what came along is not looked at. */
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
    return fault('envelope/wrong-algorithm', `${whose(key)} is no P-256 key that signs envelopes`)
  const signature = fromBase64(sig) ?? new Uint8Array()
  if (!isDer(signature))
    return fault(
      'envelope/wrong-algorithm',
      `the signature by ${whose(key)} is no ECDSA signature in DER`,
    )
  if (await isSignature(message, key, signature)) return key
  return fault(
    'envelope/bad-signature',
    `the signature by ${whose(key)} does not fit what was signed`,
  )
}

const whose = ({ keyid, holder }: TrustedKey) => `the key ${short(keyid)} of ${holderText(holder)}`

/** The key of a good signature, if it counts at a time, or why it does not. */
function countedAt(key: TrustedKey, at: number): CheckedSignature {
  switch (standing(key, at)) {
    case 'valid':
      return key
    case 'not-yet':
      return fault('envelope/key-not-yet-valid', `${whose(key)} does not count yet`)
    case 'expired':
      return fault(
        'envelope/key-expired',
        `${whose(key)} does not count any more: its time is over`,
      )
    case 'revoked':
      return fault('envelope/key-revoked', `${whose(key)} was revoked`)
  }
}

/** Whether a signature, in DER as Node takes it unless told otherwise, is one by a key; what cannot be verified is not. */
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
/** Two integers of 32 bytes, each with a leading zero at most, and their headers. */
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
    yield fault(
      'envelope/wrong-subject',
      'the envelope was made for another document than this one',
    )
  }
  if (lock !== null && subjectOf(statement, 'prompt-lock') !== lock)
    yield fault('envelope/lock-differs', 'the sender went by another prompt lock than the one here')
  if (manifest !== null && subjectOf(statement, 'prompt-manifest') !== manifest) {
    yield fault(
      'envelope/manifest-differs',
      'the sender went by another prompt manifest than the one here',
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
    yield fault('envelope/malformed-time', 'its time window is not told in times with their zone')
    return
  }
  if (!(ends - issued <= LONGEST_WINDOW && ends > issued)) {
    const most = LONGEST_WINDOW / 1000
    yield fault('envelope/window-too-long', `its time window is not one of at most ${most} seconds`)
  }
  if (!(issued <= at + MOST_SKEW))
    yield fault(
      'envelope/issued-in-future',
      `the envelope was issued at ${iat}, which is yet to come`,
    )
  if (!(at <= ends)) yield fault('envelope/expired', `the envelope could be used until ${exp}`)
}

/** The beginning of a key id; of a text that is none, which may be a credential, what can be shown of it. */
function short(keyid: string): string {
  return quote(/^[0-9a-f]{13,}$/.test(keyid) ? `${keyid.slice(0, 12)}…` : keyid)
}
