import { fromBase64, toBase64 } from './base64.ts'
import type { Faulty } from './fault.ts'

/** A signed payload (DSSE 1.0); the signature covers the payload type. */
export interface Envelope {
  readonly payloadType: string
  /** Base64. */
  readonly payload: string
  readonly signatures: readonly EnvelopeSignature[]
}

/** One signature over the payload and its type. */
export interface EnvelopeSignature {
  /** A hint for which key to try; may be empty. It is not signed. */
  readonly keyid: string
  /** Base64. */
  readonly sig: string
}

/** A signer of envelopes. */
export interface EnvelopeSigner {
  readonly keyid: string
  sign(message: Uint8Array): Uint8Array
}

/** Verifies a signature over a message with the key that a key id names. */
export type VerifySignature = (
  keyid: string,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>

const HEAD = '{"payload":"'
const HALF_PAIR = /\p{Surrogate}/u
const encoder = new TextEncoder()

/** Returns the bytes that an envelope's signatures cover (DSSE pre-authentication encoding). */
export function paeOf(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = encoder.encode(payloadType)
  const before = `DSSEv1 ${type.length} `
  const between = ` ${payload.length} `
  const bytes = new Uint8Array(before.length + type.length + between.length + payload.length)
  encoder.encodeInto(before, bytes)
  bytes.set(type, before.length)
  encoder.encodeInto(between, bytes.subarray(before.length + type.length))
  bytes.set(payload, bytes.length - payload.length)
  return bytes
}

/** Returns the bytes that an envelope's signatures cover; throws for an envelope that `parseEnvelope` refuses. */
export function signedBytes(envelope: Envelope): Uint8Array {
  const payload = fromBase64(envelope.payload)
  if (payload === undefined) throw new TypeError('the payload of the envelope is not base64')
  return paeOf(envelope.payloadType, payload)
}

/** Wraps a payload in an envelope, signed by each signer. */
export function signEnvelope(
  payloadType: string,
  payload: Uint8Array,
  signers: readonly EnvelopeSigner[],
): Envelope {
  const message = paeOf(payloadType, payload)
  return {
    payloadType,
    payload: toBase64(payload),
    signatures: signers.map(signer => ({
      keyid: signer.keyid,
      sig: toBase64(signer.sign(message)),
    })),
  }
}

/** Formats an envelope as one line of canonical JSON, without a line end. */
export function formatEnvelope(envelope: Envelope): string {
  return HEAD + envelope.payload + afterPayload(envelope)
}

function afterPayload({ payloadType, signatures }: Envelope): string {
  let list = ''
  for (const { keyid, sig } of signatures)
    list += `${list === '' ? '' : ','}{"keyid":${JSON.stringify(keyid)},"sig":"${sig}"}`
  return `","payloadType":${JSON.stringify(payloadType)},"signatures":[${list}]}`
}

/**
 * Whether a text equals the output of `formatEnvelope`, without copying the payload: this runs over every log entry.
 */
function isFormatted(text: string, envelope: Envelope): boolean {
  const { payload } = envelope
  const after = afterPayload(envelope)
  return (
    text.length === HEAD.length + payload.length + after.length &&
    text.startsWith(HEAD) &&
    text.startsWith(payload, HEAD.length) &&
    text.endsWith(after)
  )
}

/** Parses an envelope, and only one that `formatEnvelope` could write, so that no byte can change unnoticed. */
export function parseEnvelope(text: string): Envelope | Faulty {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: 'the envelope is not JSON' }
  }
  const envelope = envelopeFrom(value)
  if ('fault' in envelope || isFormatted(text, envelope)) return envelope
  return { fault: 'the envelope is not one line of canonical JSON with exactly the keys of DSSE' }
}

/** Reads an envelope from a parsed value. */
export function envelopeFrom(value: unknown): Envelope | Faulty {
  const { payload, payloadType, signatures } = partsOf(value, 3)
  if (payload === undefined)
    return {
      fault: 'the envelope does not have the keys of DSSE: payload, payloadType, signatures',
    }
  if (typeof payload !== 'string' || fromBase64(payload) === undefined)
    return { fault: 'the payload of the envelope is not standard base64' }
  if (!isText(payloadType) || payloadType === '')
    return { fault: 'the envelope does not state its payload type' }
  if (!Array.isArray(signatures) || signatures.length === 0)
    return { fault: 'the envelope has no signature' }
  const read: EnvelopeSignature[] = []
  for (const signature of signatures) {
    const { keyid, sig } = partsOf(signature, 2)
    if (!isText(keyid))
      return { fault: 'a signature of the envelope does not have the keys of DSSE: keyid and sig' }
    if (typeof sig !== 'string' || sig === '' || fromBase64(sig) === undefined)
      return { fault: 'a signature of the envelope is not standard base64' }
    read.push({ keyid, sig })
  }
  return { payloadType, payload, signatures: read }
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && !HALF_PAIR.test(value)

/** The members of an object with exactly so many keys; otherwise none. */
const partsOf = (value: unknown, keys: number): Readonly<Record<string, unknown>> =>
  isObject(value) && Object.keys(value).length === keys ? value : {}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
