import { fromBase64, toBase64, toHex } from './base64.ts'
import { type Envelope, signedBytes } from './envelope.ts'
import type { Faulty } from './fault.ts'
import type { Sha256 } from './hash.ts'

/** What the log stores of an envelope: enough to prove that the signature was logged, without the content. */
export interface Leaf {
  /** Hex SHA-256 of what the signature covers: the name of the entry. */
  readonly digest: string
  /** DER, as Sigstore encodes it. */
  readonly signature: Uint8Array
  /** The signer's P-256 key, SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array
}

const BEFORE_DIGEST =
  '{"apiVersion":"0.0.2","kind":"hashedrekord","spec":{"hashedRekordV002":{"data":{"algorithm":"SHA2_256","digest":"'
const BEFORE_SIGNATURE = '"},"signature":{"content":"'
const BEFORE_KEY = '","verifier":{"keyDetails":"PKIX_ECDSA_P256_SHA_256","publicKey":{"rawBytes":"'
const END = '"}}}}}}'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Formats the log's leaf of an envelope: a Rekor v2 `hashedrekord` 0.0.2 body for one signature, in canonical JSON. */
export function leafOf(
  sha256: Sha256,
  envelope: Envelope,
  publicKey: Uint8Array,
  signature: Uint8Array,
): Uint8Array {
  return leafOfDigest(sha256(signedBytes(envelope)), publicKey, signature)
}

/** Formats the same leaf from the digest of the signed bytes. */
export function leafOfDigest(
  digest: Uint8Array,
  publicKey: Uint8Array,
  signature: Uint8Array,
): Uint8Array {
  return encoder.encode(
    BEFORE_DIGEST +
      toBase64(digest) +
      BEFORE_SIGNATURE +
      toBase64(signature) +
      BEFORE_KEY +
      toBase64(publicKey) +
      END,
  )
}

/** Parses a leaf, and only one that `leafOf` could write. */
export function parseLeaf(entry: Uint8Array): Leaf | Faulty {
  let text: string
  try {
    text = decoder.decode(entry)
  } catch {
    return { fault: 'the leaf is not UTF-8' }
  }
  const [digest, signature, publicKey] = cutLeaf(text).map(fromBase64)
  if (digest?.length !== 32 || !signature?.length || !publicKey?.length)
    return { fault: 'the leaf is not a canonical hashedrekord 0.0.2 with a P-256 signature' }
  return { digest: toHex(digest), signature, publicKey }
}

/**
 * Splits a leaf at its fixed parts into digest, signature and key in base64, unverified; returns nothing if one is
 * missing.
 */
export function cutLeaf(text: string): readonly string[] {
  const signature = text.indexOf(BEFORE_SIGNATURE, BEFORE_DIGEST.length)
  const key = text.indexOf(BEFORE_KEY, signature)
  if (!text.startsWith(BEFORE_DIGEST) || !text.endsWith(END) || signature < 0 || key < 0) return []
  return [
    text.slice(BEFORE_DIGEST.length, signature),
    text.slice(signature + BEFORE_SIGNATURE.length, key),
    text.slice(key + BEFORE_KEY.length, -END.length),
  ]
}
