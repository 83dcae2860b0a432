// Verifies a bundle with the packages of the Sigstore project, and with nothing of ours.
//
//   node check-bundle.ts <bundle> <verifier key of the log> <public key of the signer, base64 SPKI>
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity } from '@sigstore/verify'
import { sigstoreVerifier } from './sigstore-verifier.ts'

// What stands before the 32 bytes of an Ed25519 key (RFC 8410).
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

const [bundle = '', logKey = '', signerKey = ''] = process.argv.slice(2)
// A verifier key is name, id and key (C2SP signed-note); base64 may have a plus sign of its own.
const [, origin = '', , key = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(logKey) ?? []
const typed = Buffer.from(key, 'base64')
const der = Buffer.from(signerKey, 'base64')
const sha256 = (...parts: readonly Uint8Array[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const verifier = sigstoreVerifier({
  origin,
  // The whole hash of which the id of a verifier key is the beginning.
  log: {
    der: Buffer.concat([SPKI, typed.subarray(1)]),
    logId: sha256(Buffer.from(`${origin}\n`), typed),
  },
  signer: { der, keyid: sha256(der).toString('hex') },
})
verifier.verify(toSignedEntity(bundleFromJSON(JSON.parse(readFileSync(bundle, 'utf8')))))
process.stdout.write('the bundle is verified\n')
