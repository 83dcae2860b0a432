// Verifies a bundle with the packages of the Sigstore project, and with nothing of ours.
//
//   node check-bundle.js <bundle> <verifier key of the log>... <public key of the signer, base64 SPKI>...
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity } from '@sigstore/verify'
import { SPKI_ED25519, sigstoreVerifier } from './sigstore-verifier.js'

const [bundle = '', ...keys] = process.argv.slice(2)
// A verifier key is name, id and key (C2SP signed-note); base64 may have a plus sign of its own.
const parts = keys.map(key => ({ key, note: /^([^+]+)\+[0-9a-f]{8}\+(.+)$/.exec(key) }))
const sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const log = parts.flatMap(({ note }) => {
  const [, name = '', key = ''] = note ?? []
  const typed = Buffer.from(key, 'base64')
  // The whole hash of which the id of a verifier key is the beginning.
  const logId = sha256(Buffer.from(`${name}\n`), typed)
  return note ? [{ name, der: Buffer.concat([SPKI_ED25519, typed.subarray(1)]), logId }] : []
})
const signer = parts.flatMap(({ key, note }) => {
  const der = Buffer.from(key, 'base64')
  return note ? [] : [{ der, keyid: sha256(der).toString('hex') }]
})

const verifier = sigstoreVerifier({ log, signer })
verifier.verify(toSignedEntity(bundleFromJSON(JSON.parse(readFileSync(bundle, 'utf8')))))
process.stdout.write('the bundle is verified\n')
