import { fromBase64, toBase64, toHex } from './base64.ts'
import { concat } from './bytes.ts'
import { canonicalJson } from './canonical.ts'
import { type Checkpoint, openCheckpoint, parseCheckpoint } from './checkpoint.ts'
import { parseDecimal } from './decimal.ts'
import {
  type Envelope,
  type EnvelopeSignature,
  envelopeFrom,
  signedBytes,
  type VerifySignature,
} from './envelope.ts'
import type { Faulty } from './fault.ts'
import { type Hash, isSame, leafHash, type Sha256 } from './hash.ts'
import { parseLeaf } from './leaf.ts'
import { type NoteVerifier, parseNote } from './note.ts'
import { isIncluded } from './proofs.ts'

/** The parts of a bundle: an envelope and the proof that a log contains it. */
export interface Bundled {
  readonly envelope: Envelope
  /** The envelope's leaf, which identifies the logged signature. */
  readonly leaf: Uint8Array
  readonly index: number
  readonly proof: readonly Hash[]
  /** The checkpoint that the proof leads to, as a signed note. */
  readonly note: string
  /** See `logIdOf`. */
  readonly logId: Uint8Array
}

/** A Sigstore bundle, version 0.3: all that a foreign tool needs to verify an entry offline, except trusted keys. */
export interface SigstoreBundle {
  readonly mediaType: typeof MEDIA_TYPE
  readonly verificationMaterial: {
    readonly publicKey: { readonly hint: string }
    readonly tlogEntries: readonly [LogEntry]
  }
  readonly dsseEnvelope: Envelope
}

interface LogEntry {
  readonly logIndex: string
  readonly logId: { readonly keyId: string }
  readonly kindVersion: { readonly kind: 'hashedrekord'; readonly version: '0.0.2' }
  readonly inclusionProof: {
    readonly logIndex: string
    readonly rootHash: string
    readonly treeSize: string
    readonly hashes: readonly string[]
    readonly checkpoint: { readonly envelope: string }
  }
  readonly canonicalizedBody: string
}

/** The keys and log that a verifier of a bundle trusts. */
export interface BundleTrust {
  readonly origin: string
  readonly log: NoteVerifier
  readonly logId: Uint8Array
  readonly verify: VerifySignature
}

const MEDIA_TYPE = 'application/vnd.dev.sigstore.bundle.v0.3+json'
const NOT_A_BUNDLE = 'the bundle does not have exactly the parts of a Waybill Sigstore bundle v0.3'

/** The id of a log's checkpoint key in Sigstore: the full hash whose first four bytes are the key id in a note. */
export function logIdOf(
  sha256: Sha256,
  key: { readonly name: string; readonly type: number; readonly publicKey: Uint8Array },
): Uint8Array {
  const name = new TextEncoder().encode(`${key.name}\n`)
  return sha256(concat(name, Uint8Array.of(key.type), key.publicKey))
}

/** Builds the bundle of one logged signature; omits the envelope's other signatures, as the format requires. */
export function bundleOf(bundled: Bundled): SigstoreBundle | Faulty {
  const signature = loggedSignature(bundled)
  if ('fault' in signature) return signature
  const checkpoint = checkpointOf(bundled.note)
  if ('fault' in checkpoint) return checkpoint
  const logIndex = String(bundled.index)
  const { payload, payloadType } = bundled.envelope
  return {
    mediaType: MEDIA_TYPE,
    verificationMaterial: {
      publicKey: { hint: signature.keyid },
      tlogEntries: [
        {
          logIndex,
          logId: { keyId: toBase64(bundled.logId) },
          kindVersion: { kind: 'hashedrekord', version: '0.0.2' },
          inclusionProof: {
            logIndex,
            rootHash: toBase64(checkpoint.root),
            treeSize: String(checkpoint.size),
            hashes: bundled.proof.map(toBase64),
            checkpoint: { envelope: bundled.note },
          },
          canonicalizedBody: toBase64(bundled.leaf),
        },
      ],
    },
    dsseEnvelope: { payload, payloadType, signatures: [signature] },
  }
}

/** Parses a bundle, and only one that `bundleOf` could write: duplicated parts must agree. Verifies no signature. */
export function parseBundle(text: string): Bundled | Faulty {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: 'the bundle is not JSON' }
  }
  const bundled = partsOf(value)
  if (bundled === undefined) return { fault: NOT_A_BUNDLE }
  const again = bundleOf(bundled)
  if ('fault' in again) return again
  return canonicalJson(again) === canonicalJson(value) ? bundled : { fault: NOT_A_BUNDLE }
}

/** Verifies a bundle: the signature, the leaf, and that a checkpoint of the log covers it. */
export async function verifyBundle(
  sha256: Sha256,
  text: string,
  trust: BundleTrust,
): Promise<Bundled | Faulty> {
  const bundled = parseBundle(text)
  if ('fault' in bundled) return bundled
  const { envelope, leaf, index, proof, note, logId } = bundled
  if (!isSame(logId, trust.logId)) return { fault: 'the bundle is from a log that is not trusted' }
  const opened = await openCheckpoint(note, trust.origin, [trust.log])
  if ('fault' in opened) return opened
  const { size, root } = opened.checkpoint
  if (!isIncluded(sha256, { index, size, leaf: leafHash(sha256, leaf), proof, root }))
    return { fault: 'the checkpoint of the bundle does not cover its leaf' }
  const message = signedBytes(envelope)
  const logged = parseLeaf(leaf)
  if ('fault' in logged) return logged
  if (logged.digest !== toHex(sha256(message)))
    return { fault: 'the leaf of the bundle belongs to another envelope' }
  const [signature] = envelope.signatures
  if (signature && (await trust.verify(signature.keyid, message, logged.signature))) return bundled
  return { fault: 'the signature of the envelope does not verify with the key that it names' }
}

function loggedSignature({ envelope, leaf }: Bundled): EnvelopeSignature | Faulty {
  const logged = parseLeaf(leaf)
  if ('fault' in logged) return logged
  const sig = toBase64(logged.signature)
  return (
    envelope.signatures.find(signature => signature.sig === sig) ?? {
      fault: 'the leaf is for a signature that the envelope does not have',
    }
  )
}

function checkpointOf(note: string): Checkpoint | Faulty {
  const read = parseNote(note)
  return 'fault' in read ? read : parseCheckpoint(read.text)
}

function partsOf(value: unknown): Bundled | undefined {
  const entry = at(value, 'verificationMaterial', 'tlogEntries', '0')
  const envelope = envelopeFrom(at(value, 'dsseEnvelope'))
  const leaf = bytesOf(at(entry, 'canonicalizedBody'))
  const index = parseDecimal(textOf(at(entry, 'logIndex')))
  const hashes = at(entry, 'inclusionProof', 'hashes')
  const note = textOf(at(entry, 'inclusionProof', 'checkpoint', 'envelope'))
  const logId = bytesOf(at(entry, 'logId', 'keyId'))
  if ('fault' in envelope || !leaf || index === undefined || !logId || !Array.isArray(hashes))
    return undefined
  const proof = hashes.map(bytesOf).filter(hash => hash !== undefined)
  return { envelope, leaf, index, proof, note, logId }
}

/** Reads own keys only, since the value is untrusted. */
function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Object.getOwnPropertyDescriptor(found, key)?.value
  }
  return found
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const bytesOf = (value: unknown) => (typeof value === 'string' ? fromBase64(value) : undefined)
