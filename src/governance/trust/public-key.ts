import type { KeyObject } from 'node:crypto'
import { fromBase64 } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { HolderKind } from './holder.ts'
import { ed25519Der, readLogKey } from './log-key.ts'
import { whyNotP256 } from './p256.ts'
import { readSshLine, type SshKey } from './ssh-key.ts'

/** The signature algorithm of a key. */
export type Algorithm = 'ecdsa-p256' | 'ed25519' | 'rsa'

/** A public key in trust. */
export interface PublicKey {
  /** Hex SHA-256 of the SPKI, independent of how the key is written. */
  readonly keyid: string
  readonly algorithm: Algorithm
  /** SPKI. */
  readonly der: Uint8Array
  /** Created on first use. */
  readonly key: KeyObject
  /** The name of the key in notes of a log. */
  readonly note?: { readonly name: string; readonly id: string }
  /** The SSH fingerprint: `SHA256:…`. */
  readonly fingerprint?: string
}

/** Why a key cannot be used for a holder. */
export interface KeyFault {
  readonly fault: string
  readonly hint: string
}

const SSH = /^(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-/
const SPKI_HINT = 'write the base64 of its SPKI, as waybill init and waybill key rotate do'

/** Parses a public key in a form allowed for that kind of holder; repairs nothing. */
export function readPublicKey(kind: HolderKind, text: string): PublicKey | KeyFault {
  if (kind === 'log') return readOfLog(text)
  if (kind === 'person' && SSH.test(text)) return readOfSsh(text)
  const der = fromBase64(text)
  if (!der) {
    const hint = kind === 'person' ? `write an SSH key, or ${SPKI_HINT.slice(6)}` : SPKI_HINT
    return { fault: 'the key is not base64', hint }
  }
  const why = whyNotP256(der)
  if (why) return { fault: `the key is not a P-256 key: ${why}`, hint: SPKI_HINT }
  return publicKey('ecdsa-p256', der)
}

function readOfLog(text: string): PublicKey | KeyFault {
  const read = readLogKey(text)
  if ('fault' in read) {
    const hint = 'write <origin>+<id>+<base64>, as waybill init does'
    return { fault: `the key is not a note verifier key: ${read.fault}`, hint }
  }
  const { name, id } = read
  return publicKey('ed25519', ed25519Der(read.publicKey), { note: { name, id } })
}

const ALGORITHMS: Record<SshKey['type'], Algorithm> = {
  'ssh-ed25519': 'ed25519',
  'ecdsa-sha2-nistp256': 'ecdsa-p256',
  'ssh-rsa': 'rsa',
}

function readOfSsh(line: string): PublicKey | KeyFault {
  const read = readSshLine(line)
  if ('fault' in read) {
    const hint =
      'copy the line of the .pub file: ed25519, ecdsa on P-256, or rsa with at least 2048 bits'
    return { fault: `the SSH key cannot be used: ${read.fault}`, hint }
  }
  const der = read.key.export({ type: 'spki', format: 'der' })
  const { createHash } = process.getBuiltinModule('node:crypto')
  const digest = createHash('sha256').update(read.blob).digest('base64').replace(/=+$/, '')
  return publicKey(ALGORITHMS[read.type], der, { fingerprint: `SHA256:${digest}` })
}

function publicKey(
  algorithm: Algorithm,
  der: Uint8Array,
  names: Pick<PublicKey, 'note' | 'fingerprint'> = {},
): PublicKey {
  let key: KeyObject | undefined
  return {
    keyid: sha256(der),
    algorithm,
    der,
    get key() {
      const { createPublicKey } = process.getBuiltinModule('node:crypto')
      key ??= createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
      return key
    },
    ...names,
  }
}
