import type { KeyObject } from 'node:crypto'
import { sha256 } from '../../workspace/index.ts'
import type { Holder } from '../trust/holder.ts'
import { logKeyText } from '../trust/log-key.ts'
import type { TrustEntry } from '../trust/trust-file.ts'
import { createKeyFile } from './key-files.ts'

/** A new key: its private half is in a file, its public half is still to be listed. */
export interface NewKey {
  readonly holder: Holder
  readonly keyid: string
  readonly file: string
  readonly entry: TrustEntry
}

/** Creates a key and writes its private half: Ed25519 for a log, P-256 for other holders. */
export function makeKey(root: string, holder: Holder, from: string): NewKey {
  const { generateKeyPairSync } = process.getBuiltinModule('node:crypto')
  const isLog = holder.kind === 'log'
  const pair = isLog
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = pair.publicKey.export({ type: 'spki', format: 'der' })
  const keyid = sha256(der)
  // Origins are hard to read, and there is only one gateway and one log here.
  const name = holder.kind === 'agent' ? holder.name : holder.kind
  const file = createKeyFile(root, name, keyid, pair.privateKey)
  const key = isLog ? logKeyText(holder.name, rawEd25519(pair.publicKey)) : der.toString('base64')
  return { holder, keyid, file, entry: { [holder.kind]: holder.name, key, from } }
}

function rawEd25519(key: KeyObject): Uint8Array {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
}
