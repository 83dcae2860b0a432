import { createPublicKey, verify } from 'node:crypto'
import type { VerifyEd25519 } from '../../ledger/index.ts'
import { ed25519Der } from '../trust/log-key.ts'

/** Verifies an Ed25519 signature with Node. */
export const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) => {
  const key = createPublicKey({ key: ed25519Der(publicKey), format: 'der', type: 'spki' })
  return verify(null, message, key, signature)
}
