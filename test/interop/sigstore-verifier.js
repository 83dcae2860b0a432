// JavaScript, for check-bundle.js: auditors run it with whatever Node they have, and an older one reads no types.
import { toTrustMaterial, Verifier } from '@sigstore/verify'

// As in the protocol buffers of Sigstore, whose package is not ours to import.
const SHA2_256 = 1
const PKIX_ECDSA_P256_SHA_256 = 5
const PKIX_ED25519 = 7

export const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

export function sigstoreVerifier({ log, signer }) {
  const trustedRoot = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot.v0.2+json',
    tlogs: [log].flat().map(({ name, der, logId }) => ({
      baseUrl: `https://${name}`,
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
