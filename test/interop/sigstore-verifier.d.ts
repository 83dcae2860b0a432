import type { Verifier } from '@sigstore/verify'

/** What stands before the 32 bytes of an Ed25519 key (RFC 8410). */
export const SPKI_ED25519: Buffer

interface TrustedLog {
  /** Its origin, which its checkpoints are signed by. */
  readonly name: string
  /** The SPKI of the log's key, and the id that Sigstore knows it by. */
  readonly der: Uint8Array
  readonly logId: Uint8Array
}

interface TrustedSigner {
  readonly der: Uint8Array
  readonly keyid: string
}

/** Whom a verifier trusts: one log, and one agent or gateway; of each several where there are more, or keys were rotated. */
export interface Trusted {
  readonly log: TrustedLog | readonly TrustedLog[]
  readonly signer: TrustedSigner | readonly TrustedSigner[]
}

/** A verifier of the Sigstore project that trusts no other key, and asks no authority for certificates or times. */
export function sigstoreVerifier(trusted: Trusted): Verifier
