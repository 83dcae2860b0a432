import { join } from 'node:path'
import { COSIGNATURE, type VerifierKey, verifierKey } from '../../ledger/index.ts'
import { createAtomically, lookInState } from '../../workspace/index.ts'
import { digestBytes } from '../digest.ts'
import { KEYS_FOLDER, openKeysFolder, readPrivateFile, readPrivateKey } from './key-files.ts'

/** The key of a witness. */
export interface WitnessKey {
  readonly key: VerifierKey
  sign(message: Uint8Array): Uint8Array
}

/** The prefix of a witness's name, before a random UUID. */
const NAME = 'urn:waybill:witness:'
const NAME_FILE = 'witness'
const KEY_FILE = 'witness.pem'

/** Whether a repository has a witness key. */
export function hasWitnessKey(root: string): boolean {
  return lookInState(root, KEYS_FOLDER, KEY_FILE) !== undefined
}

/** Opens the witness key of a repository, created on first use; with concurrent calls, the first key stays. */
export function openWitnessKey(root: string): WitnessKey {
  const { createPublicKey, generateKeyPairSync, randomUUID, sign } =
    process.getBuiltinModule('node:crypto')
  const folder = openKeysFolder(root)
  const [nameFile, keyFile] = [join(folder, NAME_FILE), join(folder, KEY_FILE)]
  if (!lookInState(root, KEYS_FOLDER, NAME_FILE))
    createAtomically(nameFile, `${NAME}${randomUUID()}\n`, 0o600)
  if (!lookInState(root, KEYS_FOLDER, KEY_FILE)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    createAtomically(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600)
  }
  const key = readPrivateKey(keyFile)
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const publicKey = Buffer.from(x, 'base64url')
  const name = readPrivateFile(nameFile).trim()
  return {
    key: verifierKey(digestBytes, name, COSIGNATURE, publicKey),
    sign: message => sign(null, message, key),
  }
}
