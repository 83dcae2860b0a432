import type { KeyObject } from 'node:crypto'
import { WaybillError } from '../../error.ts'
import { fromBase64, paeOf } from '../../ledger/index.ts'
import { lookThrough, sha256 } from '../../workspace/index.ts'
import { readPrivateFile, whyUnsafeFile } from '../keys/key-files.ts'
import { holderText } from '../trust/holder.ts'
import { standing, type Trust } from '../trust/trust.ts'
import { isSshSignatureOver, readSshSignature } from './sshsig.ts'

/** What shows that a person stated something: a signature over the bytes of the statement. */
export interface Proof {
  /** The name under which trust lists the key. */
  readonly by: string
  readonly method: 'sshsig' | 'ecdsa-p256'
  /** The key as trust counts keys: SHA-256 of the SPKI in hex. */
  readonly keyid: string
  /** The text that `ssh-keygen -Y sign` wrote, or base64 of an ECDSA signature in DER. */
  readonly signature: string
}

/** Signatures that were made for anything else do not count as statements. */
const NAMESPACE = 'waybill'
const PAYLOAD_TYPE = 'application/vnd.waybill.statement'

/** What a person states, and the file of the key that shows it. */
export interface Stated {
  readonly by: string
  readonly bytes: Uint8Array
  /** An SSH key, the public half of one that an agent holds, or a P-256 key in PEM. */
  readonly keyFile: string
}

/**
 * Has a person sign a statement: by `ssh-keygen`, which asks for passphrases at the terminal and knows ssh-agent,
 * or with a P-256 key in a file.
 */
export function proveStatement({ by, bytes, keyFile }: Stated): Proof {
  mustBeFile(keyFile)
  const key = readP256(keyFile)
  if (key) {
    const { sign, createPublicKey } = process.getBuiltinModule('node:crypto')
    const der = createPublicKey(key).export({ type: 'spki', format: 'der' })
    const signature = sign('sha256', paeOf(PAYLOAD_TYPE, bytes), key).toString('base64')
    return { by, method: 'ecdsa-p256', keyid: sha256(der), signature }
  }
  const signature = signBySsh(bytes, keyFile)
  const read = readSshSignature(signature)
  if ('fault' in read) {
    throw new WaybillError('input-output', `the signature made with ${keyFile} is not usable`, {
      hint: read.fault,
    })
  }
  return { by, method: 'sshsig', keyid: keyidOf(read.key.key), signature }
}

/** From a pipe ssh-keygen waits for a key, and a device never ends; of what is not there it tells by itself. */
function mustBeFile(keyFile: string): void {
  const stats = lookThrough(keyFile)
  if (stats && !stats.isFile())
    throw new WaybillError('input-output', `${keyFile} is no regular file`, {
      hint: 'name the file of a key with --key',
    })
}

function keyidOf(key: KeyObject): string {
  return sha256(key.export({ type: 'spki', format: 'der' }))
}

/** Only what says that it is an unencrypted PKCS#8 or SEC 1 key is read here; all else is for `ssh-keygen`. */
function readP256(file: string): KeyObject | undefined {
  const why = whyUnsafeFile(file)
  // A public half may be read by everybody, and ssh-keygen has its own mind about links and modes.
  if (why) return undefined
  const text = readPrivateFile(file)
  if (!/-----BEGIN (?:EC )?PRIVATE KEY-----/.test(text)) return undefined
  try {
    const key = process.getBuiltinModule('node:crypto').createPrivateKey(text)
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined
  } catch {
    return undefined
  }
}

function signBySsh(bytes: Uint8Array, keyFile: string): string {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, stdout, error } = spawnSync(
    'ssh-keygen',
    ['-q', '-Y', 'sign', '-n', NAMESPACE, '-f', keyFile],
    { input: bytes, stdio: ['pipe', 'pipe', 'inherit'], encoding: 'latin1' },
  )
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    throw new WaybillError('not-found', 'ssh-keygen is not installed', {
      hint: 'install OpenSSH, or sign with a P-256 key in a PEM file',
    })
  }
  if (status === 0) return stdout
  const why = whyUnsafeFile(keyFile)
  throw new WaybillError('input-output', `ssh-keygen could not sign with ${keyFile}`, {
    hint: why ? `${why.what}: ${why.remedy}` : 'what it says stands above',
  })
}

/** Whether a proof shows that the person it names stated these bytes, at a time. */
export function verifyStatement(
  proof: Proof,
  bytes: Uint8Array,
  trust: Trust,
  at: number,
): { readonly standing: 'proved'; readonly keyid: string } | { readonly fault: string } {
  const { by, keyid } = proof
  const key = trust.byId(keyid)
  if (!key) return { fault: 'trust lists no such key' }
  if (key.holder.kind !== 'person' || key.holder.name !== by)
    return { fault: `the key is that of ${holderText(key.holder)}, not of ${by}` }
  const stands = standing(key, at)
  if (stands !== 'valid') return { fault: `the key of ${by} ${WORDS[stands]}` }
  const fault = signatureFault(proof, bytes, key.publicKey.key)
  return fault === undefined ? { standing: 'proved', keyid } : { fault }
}

const WORDS = {
  'not-yet': 'does not count yet',
  expired: 'has expired',
  revoked: 'is revoked',
} as const

function signatureFault(
  { method, signature, keyid }: Proof,
  bytes: Uint8Array,
  key: KeyObject,
): string | undefined {
  const wrong = 'the signature is not one over this statement'
  if (method === 'sshsig') {
    const read = readSshSignature(signature)
    if ('fault' in read) return read.fault
    if (read.namespace !== NAMESPACE) return 'the signature was made for another purpose'
    if (keyidOf(read.key.key) !== keyid) return 'the signature is by another key than it says'
    return isSshSignatureOver(read, bytes) ? undefined : wrong
  }
  const raw = fromBase64(signature)
  if (!raw || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return wrong
  const { verify } = process.getBuiltinModule('node:crypto')
  return verify('sha256', paeOf(PAYLOAD_TYPE, bytes), key, raw) ? undefined : wrong
}
