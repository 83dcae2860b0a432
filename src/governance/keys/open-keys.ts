import type { KeyObject } from 'node:crypto'
import { basename } from 'node:path'
import { WaybillError } from '../../error.ts'
import { lookAt, sha256 } from '../../workspace/index.ts'
import type { Holder } from '../trust/holder.ts'
import { standing, type Trust, type TrustedKey } from '../trust/trust.ts'
import {
  keysChangedAt,
  listKeyFiles,
  readOrigin,
  readPrivateKey,
  type Unsafe,
} from './key-files.ts'

/** What signs for an agent or the gateway: ECDSA on P-256 with SHA-256, signatures in DER. */
export interface Signer {
  readonly holder: Holder
  readonly keyid: string
  /** SPKI. */
  readonly publicDer: Uint8Array
  sign(bytes: Uint8Array): Uint8Array
}

/** What signs the checkpoints of a log: a signer of notes (C2SP signed-note), Ed25519. */
export interface LogSigner {
  /** The origin. */
  readonly name: string
  /** Eight hex digits. */
  readonly id: string
  readonly keyid: string
  sign(message: Uint8Array): Uint8Array
}

/** The private keys that are kept here, as far as trust lists them. */
export interface Keys {
  /** The origin of the log that is kept here: that of the log key made here. */
  readonly origin: string | undefined
  /** Signs with the newest key that trust lists as valid at a time and whose private half is here; none, no signer. */
  signer(kind: 'agent' | 'gateway', name: string, at: number): Signer | undefined
  /** Signs checkpoints of a log. */
  logSigner(origin: string, at: number): LogSigner | undefined
  /** Whether the private half of a key is here. */
  holds(keyid: string): boolean
  /** Whether those who had keys here then still have the same: others may have rotated or revoked them. */
  areCurrent(): boolean
  /** The files of private keys by key id, those that trust does not list included. */
  readonly files: ReadonlyMap<string, string>
}

/** Opens the private keys of a repository; a key is read when it is to sign for the first time. */
export function openKeys(root: string, trust: Trust): Keys {
  const files = listKeyFiles(root)
  const opened = new Map<string, KeyObject>()
  const newest = (kind: Holder['kind'], name: string, at: number) =>
    trust
      .of(kind, name)
      .filter(key => standing(key, at) === 'valid' && files.has(key.keyid))
      .reduce<TrustedKey | undefined>(
        (best, key) => (best && best.from > key.from ? best : key),
        undefined,
      )
  const privateHalf = ({ keyid }: TrustedKey) => {
    const key = opened.get(keyid) ?? openKey(files.get(keyid) ?? '', keyid)
    opened.set(keyid, key)
    return key
  }
  const { sign } = process.getBuiltinModule('node:crypto')
  return {
    origin: readOrigin(root),
    files,
    holds: keyid => files.has(keyid),
    areCurrent: watchFiles(root, files, trust),
    signer: (kind, name, at) => {
      const own = newest(kind, name, at)
      if (!own) return undefined
      const key = privateHalf(own)
      return {
        holder: own.holder,
        keyid: own.keyid,
        publicDer: own.publicKey.der,
        sign: bytes => sign('sha256', bytes, key),
      }
    },
    logSigner: (origin, at) => {
      const own = newest('log', origin, at)
      const note = own?.publicKey.note
      if (!own || !note) return undefined
      const key = privateHalf(own)
      return { ...note, keyid: own.keyid, sign: message => sign(null, message, key) }
    },
  }
}

/** Whose key a file holds, as its name says. */
const ownerOf = (file: string) => file.replace(/\.[0-9a-f]{64}\.pem$/, '')

/** Two changes within so many milliseconds may bear the same time. */
const TICK = 50
/** Nobody needs so many milliseconds to list a key that was made. */
const LISTING = 60_000

/** Tells whether the holders of these files have the same ones still: asked for each entry, it seldom lists them. */
function watchFiles(root: string, files: Keys['files'], trust: Trust): () => boolean {
  const holders = new Set([...files.values()].map(ownerOf))
  const filesOf = (all: Keys['files']) =>
    [...all.values()].filter(file => holders.has(ownerOf(file))).sort()
  const before = filesOf(files).join()
  const isBeingListed = [...files].some(
    ([keyid, file]) => !trust.byId(keyid) && isOwnAndNew(file, Date.now()),
  )
  let seen: number | undefined
  return () => {
    const changed = keysChangedAt(root)
    if (changed !== undefined && changed === seen) return true
    const looked = Date.now()
    if (isBeingListed || filesOf(listKeyFiles(root)).join() !== before) return false
    seen = changed !== undefined && looked - changed > TICK ? changed : undefined
    return true
  }
}

/** Whether somebody has just made a key for gateway or log, and may be listing it by now. */
function isOwnAndNew(file: string, now: number): boolean {
  if (!/^(?:gateway|log)\./.test(basename(file))) return false
  const made = lookAt(file)?.mtimeMs
  return made !== undefined && now - made < LISTING
}

/** Why the file of a key that is here may or can not be used, and what to do; `undefined` if it can. */
export function whyUnusableKey(file: string, keyid: string): Unsafe | undefined {
  try {
    openKey(file, keyid)
    return undefined
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    return { what: error.message, remedy: error.hint ?? PUT_BACK }
  }
}

const PUT_BACK = 'put the key itself back, or rotate it: waybill key rotate'

/** What a file holds must be the key that its name and trust say. */
function openKey(file: string, keyid: string): KeyObject {
  const key = readPrivateKey(file)
  const { createPublicKey } = process.getBuiltinModule('node:crypto')
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' })
  if (sha256(der) === keyid) return key
  throw new WaybillError('input-output', `${file} holds another key than its name says`, {
    hint: PUT_BACK,
  })
}
