import type { KeyObject } from 'node:crypto'
import { WaybillError } from '../../error.ts'
import { fromBase64, paeOf } from '../../ledger/index.ts'
import { lookThrough, sha256 } from '../../workspace/index.ts'
import { readPrivateFile, whyUnsafeFile } from '../keys/key-files.ts'
import { holderText } from '../trust/holder.ts'
import { standing, type Trust } from '../trust/trust.ts'
import { isSshSignatureOver, readSshSignature } from './sshsig.ts'

/** The proof that a person stated something: a signature over the statement's bytes. */
export interface Proof {
  /** The name under which trust lists the key. */
  readonly by: string
  readonly method: 'sshsig' | 'ecdsa-p256'
  /** The key id in trust: hex SHA-256 of the SPKI. */
  readonly keyid: string
  /** The output of `ssh-keygen -Y sign`, or a base64 ECDSA signature in DER. */
  readonly signature: string
}

/** Signatures made for other purposes do not count as statements. */
const NAMESPACE = 'waybill'
const PAYLOAD_TYPE = 'application/vnd.waybill.statement'

/** A person's statement, and the key file to sign it with. */
export interface Stated {
  readonly by: string
  readonly bytes: Uint8Array
  /** An SSH key, the public half of a key in ssh-agent, or a P-256 key in PEM. */
  readonly keyFile: string
}

/**
 * Signs a person's statement with `ssh-keygen`, which prompts for passphrases and uses ssh-agent, or with a P-256 key
 * file.
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
    throw new WaybillError('input-output', `the signature made with ${keyFile} is invalid`, {
      hint: read.fault,
    })
  }
  return { by, method: 'sshsig', keyid: keyidOf(read.key.key), signature }
}

/** ssh-keygen would wait on a pipe and never finish a device; it reports a missing file itself. */
function mustBeFile(keyFile: string): void {
  const stats = lookThrough(keyFile)
  if (stats && !stats.isFile())
    throw new WaybillError('input-output', `${keyFile} is not a regular file`, {
      hint: 'pass a key file with --key',
    })
}

function keyidOf(key: KeyObject): string {
  return sha256(key.export({ type: 'spki', format: 'der' }))
}

/** Read only unencrypted PKCS#8 and SEC 1 keys here; leave others to `ssh-keygen`. */
function readP256(file: string): KeyObject | undefined {
  const why = whyUnsafeFile(file)
  // Public keys may be world-readable, and ssh-keygen checks links and modes itself.
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
    hint: why ? `${why.what}: ${why.remedy}` : 'see its output above',
  })
}

/** Checks that a proof shows that its person stated these bytes at a time. */
export function verifyStatement(
  proof: Proof,
  bytes: Uint8Array,
  trust: Trust,
  at: number,
): { readonly standing: 'proved'; readonly keyid: string } | { readonly fault: string } {
  const { by, keyid } = proof
  const key = trust.byId(keyid)
  if (!key) return { fault: 'trust does not list the key' }
  if (key.holder.kind !== 'person' || key.holder.name !== by)
    return { fault: `the key belongs to ${holderText(key.holder)}, not to ${by}` }
  const stands = standing(key, at)
  if (stands !== 'valid') return { fault: `the key of ${by} ${WORDS[stands]}` }
  const fault = signatureFault(proof, bytes, key.publicKey.key)
  return fault === undefined ? { standing: 'proved', keyid } : { fault }
}

const WORDS = {
  'not-yet': 'is not valid yet',
  expired: 'has expired',
  revoked: 'is revoked',
} as const

function signatureFault(
  { method, signature, keyid }: Proof,
  bytes: Uint8Array,
  key: KeyObject,
): string | undefined {
  const wrong = 'the signature does not match this statement'
  if (method === 'sshsig') {
    const read = readSshSignature(signature)
    if ('fault' in read) return read.fault
    if (read.namespace !== NAMESPACE) return 'the signature was made for another purpose'
    if (keyidOf(read.key.key) !== keyid)
      return 'the signature was made with a different key than it names'
    return isSshSignatureOver(read, bytes) ? undefined : wrong
  }
  const raw = fromBase64(signature)
  if (!raw || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return wrong
  const { verify } = process.getBuiltinModule('node:crypto')
  return verify('sha256', paeOf(PAYLOAD_TYPE, bytes), key, raw) ? undefined : wrong
}
