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

/** What an envelope is held against. */
export interface EnvelopeGround {
  readonly trust: Trust
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
   * Whether the source agent itself said exactly this, just now: signatures, keys, document, audience and time are
   * good. With what manifest or lock it went by is another matter.
   */
  readonly authentic: boolean
}

const LONGEST_WINDOW = 600_000
const MOST_SKEW = 30_000
/** Each costs a verification, and one is enough. */
const MOST_SIGNATURES = 16

/** Codes that leave open whether the source agent itself said this just now. */
const ABOUT_SURROUNDINGS: readonly string[] = [
  'envelope/lock-differs',
  'envelope/manifest-differs',
] satisfies EnvelopeCode[]

/** Verifies the envelope that came with a handoff: every signature, and everything that was signed. */
export function verifyEnvelope(text: string, ground: EnvelopeGround): VerifiedEnvelope {
  const base = {
    sha256: sha256(text),
    keys: [],
    envelope: undefined,
    previous: undefined,
    authentic: false,
  }
  const refused = (code: EnvelopeCode, message: string) => ({
    ...base,
    diagnostics: [fault(code, message)],
  })
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
  const checked = envelope.signatures.map(one => checkSignature(one, message, ground))
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
    authentic: diagnostics.every(({ code }) => ABOUT_SURROUNDINGS.includes(code)),
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

/** The key of a good signature, or why the signature does not count. The key is the listed one; what came along is not looked at. */
function checkSignature(
  { keyid, sig }: EnvelopeSignature,
  message: Uint8Array,
  { trust, at }: EnvelopeGround,
): TrustedKey | Diagnostic {
  const key = trust.byId(keyid)
  if (!key) {
    return fault(
      'envelope/untrusted-key',
      `the key ${short(keyid)} is not listed under trust: in waybill.yaml`,
    )
  }
  const whose = `the key ${short(keyid)} of ${holderText(key.holder)}`
  if (key.publicKey.algorithm !== 'ecdsa-p256' || key.holder.kind === 'log')
    return fault('envelope/wrong-algorithm', `${whose} is no P-256 key that signs envelopes`)
  const signature = fromBase64(sig) ?? new Uint8Array()
  if (!isDer(signature))
    return fault(
      'envelope/wrong-algorithm',
      `the signature by ${whose} is no ECDSA signature in DER`,
    )
  if (!isSignature(message, key, signature))
    return fault('envelope/bad-signature', `the signature by ${whose} does not fit what was signed`)
  switch (standing(key, at)) {
    case 'valid':
      return key
    case 'not-yet':
      return fault('envelope/key-not-yet-valid', `${whose} does not count yet`)
    case 'expired':
      return fault('envelope/key-expired', `${whose} does not count any more: its time is over`)
    case 'revoked':
      return fault('envelope/key-revoked', `${whose} was revoked`)
  }
}

function isSignature(message: Uint8Array, key: TrustedKey, signature: Uint8Array): boolean {
  try {
    return verifySignature(
      'sha256',
      message,
      { key: key.publicKey.key, dsaEncoding: 'der' },
      signature,
    )
  } catch {
    return false
  }
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
  const [issued = Number.NaN, ends = Number.NaN] = [parseInstant(iat), parseInstant(exp)]
  // Written so that a time that is no number passes none of these.
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
