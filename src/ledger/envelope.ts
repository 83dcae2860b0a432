import { fromBase64, toBase64 } from './base64.ts'
import type { Faulty } from './fault.ts'

/** A signed payload (DSSE 1.0): who signed, and for what type of content, is part of what was signed. */
export interface Envelope {
  readonly payloadType: string
  /** Base64. */
  readonly payload: string
  readonly signatures: readonly EnvelopeSignature[]
}

/** One signature over the payload and its type. */
export interface EnvelopeSignature {
  /** A hint that says which key to try; empty if there is none. Nothing vouches for it but the signature itself. */
  readonly keyid: string
  /** Base64. */
  readonly sig: string
}

/** What signs an envelope. */
export interface EnvelopeSigner {
  readonly keyid: string
  sign(message: Uint8Array): Uint8Array
}

/** Tells whether a signature over a message is one by the key that a key id names. */
export type VerifySignature = (
  keyid: string,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>

const HEAD = '{"payload":"'
const HALF_PAIR = /\p{Surrogate}/u
const encoder = new TextEncoder()

/** Gives the bytes that the signatures of an envelope cover (DSSE, pre-authentication encoding). */
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

/** Gives the bytes that the signatures of an envelope cover; throws for one that `parseEnvelope` would have refused. */
export function signedBytes(envelope: Envelope): Uint8Array {
  const payload = fromBase64(envelope.payload)
  if (payload === undefined) throw new TypeError('the payload of the envelope is not base64')
  return paeOf(envelope.payloadType, payload)
}

/** Wraps a payload in an envelope with one signature by each signer. */
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

/** Writes an envelope as one line of canonical JSON, without a line end. */
export function formatEnvelope(envelope: Envelope): string {
  return HEAD + envelope.payload + afterPayload(envelope)
}

function afterPayload({ payloadType, signatures }: Envelope): string {
  let list = ''
  for (const { keyid, sig } of signatures)
    list += `${list === '' ? '' : ','}{"keyid":${JSON.stringify(keyid)},"sig":"${sig}"}`
  return `","payloadType":${JSON.stringify(payloadType)},"signatures":[${list}]}`
}

/** Tells whether a text is what `formatEnvelope` gives, without another copy of the payload: this runs over every entry of a log. */
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

/** Reads an envelope, and only one that `formatEnvelope` could have written: one byte changed anywhere never reads as the same envelope. */
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

/** Takes an envelope out of a value that has been parsed with what stands around it. */
export function envelopeFrom(value: unknown): Envelope | Faulty {
  const { payload, payloadType, signatures } = partsOf(value, 3)
  if (payload === undefined)
    return {
      fault: 'the envelope does not have the keys of DSSE: payload, payloadType, signatures',
    }
  if (typeof payload !== 'string' || fromBase64(payload) === undefined)
    return { fault: 'the payload of the envelope is not standard base64' }
  if (!isText(payloadType) || payloadType === '')
    return { fault: 'the envelope does not say of what type its payload is' }
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

/** The members of an object that has so many keys; of anything else, none. */
const partsOf = (value: unknown, keys: number): Readonly<Record<string, unknown>> =>
  isObject(value) && Object.keys(value).length === keys ? value : {}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
