import { toTrustMaterial, Verifier } from '@sigstore/verify'

// As in the protocol buffers of Sigstore, whose package is not ours to import.
const SHA2_256 = 1
const PKIX_ECDSA_P256_SHA_256 = 5
const PKIX_ED25519 = 7

/** Whom a verifier trusts: one log, and one agent or gateway. */
export interface Trusted {
  readonly origin: string
  /** The SPKI of the log's key, and the id that Sigstore knows it by. */
  readonly log: { readonly der: Uint8Array; readonly logId: Uint8Array }
  readonly signer: { readonly der: Uint8Array; readonly keyid: string }
}

/** A verifier of the Sigstore project that trusts nobody else, and asks no authority for certificates or times. */
export function sigstoreVerifier({ origin, log, signer }: Trusted): Verifier {
  const trustedRoot = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot.v0.2+json',
    tlogs: [
      {
        baseUrl: `https://${origin}`,
        hashAlgorithm: SHA2_256,
        publicKey: { rawBytes: Buffer.from(log.der), keyDetails: PKIX_ED25519 },
        logId: { keyId: Buffer.from(log.logId) },
        checkpointKeyId: undefined,
        operator: '',
      },
    ],
    certificateAuthorities: [],
    ctlogs: [],
    timestampAuthorities: [],
  }
  const keys = {
    [signer.keyid]: {
      rawBytes: Buffer.from(signer.der),
      keyDetails: PKIX_ECDSA_P256_SHA_256,
    },
  }
  return new Verifier(toTrustMaterial(trustedRoot, keys), {
    tlogThreshold: 1,
    ctlogThreshold: 0,
    timestampThreshold: 0,
  })
}
