import { toTrustMaterial, Verifier } from '@sigstore/verify'

// As in the protocol buffers of Sigstore, whose package is not ours to import.
const SHA2_256 = 1
const PKIX_ECDSA_P256_SHA_256 = 5
const PKIX_ED25519 = 7

/** What stands before the 32 bytes of an Ed25519 key (RFC 8410). */
export const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

interface TrustedLog {
  /** The SPKI of the log's key, and the id that Sigstore knows it by. */
  readonly der: Uint8Array
  readonly logId: Uint8Array
}

interface TrustedSigner {
  readonly der: Uint8Array
  readonly keyid: string
}

/** Whom a verifier trusts: one log, and one agent or gateway; of each several keys where they were rotated. */
export interface Trusted {
  readonly origin: string
  readonly log: TrustedLog | readonly TrustedLog[]
  readonly signer: TrustedSigner | readonly TrustedSigner[]
}

/** A verifier of the Sigstore project that trusts nobody else, and asks no authority for certificates or times. */
export function sigstoreVerifier({ origin, log, signer }: Trusted): Verifier {
  const trustedRoot = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot.v0.2+json',
    tlogs: [log].flat().map(({ der, logId }) => ({
      baseUrl: `https://${origin}`,
      hashAlgorithm: SHA2_256,
      publicKey: { rawBytes: Buffer.from(der), keyDetails: PKIX_ED25519 },
      logId: { keyId: Buffer.from(logId) },
      checkpointKeyId: undefined,
      operator: '',
    })),
    certificateAuthorities: [],
    ctlogs: [],
    timestampAuthorities: [],
  }
  const keys = Object.fromEntries(
    [signer].flat().map(({ der, keyid }) => {
      return [keyid, { rawBytes: Buffer.from(der), keyDetails: PKIX_ECDSA_P256_SHA_256 }]
    }),
  )
  return new Verifier(toTrustMaterial(trustedRoot, keys), {
    tlogThreshold: 1,
    ctlogThreshold: 0,
    timestampThreshold: 0,
  })
}
