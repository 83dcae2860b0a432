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

/** Signs for an agent or the gateway: ECDSA on P-256 with SHA-256, signatures in DER. */
export interface Signer {
  readonly holder: Holder
  readonly keyid: string
  /** SPKI. */
  readonly publicDer: Uint8Array
  sign(bytes: Uint8Array): Uint8Array
}

/** Signs the checkpoints of a log as notes (C2SP signed-note), with Ed25519. */
export interface LogSigner {
  /** The origin. */
  readonly name: string
  /** Eight hex digits. */
  readonly id: string
  readonly keyid: string
  sign(message: Uint8Array): Uint8Array
}

/** The private keys kept here that trust lists. */
export interface Keys {
  /** The origin of the log whose key was created here. */
  readonly origin: string | undefined
  /** Returns a signer with the newest key kept here that is valid at a time, in milliseconds since the epoch. */
  signer(kind: 'agent' | 'gateway', name: string, at: number): Signer | undefined
  /** Returns a signer of a log's checkpoints, by the same rule. */
  logSigner(origin: string, at: number): LogSigner | undefined
  /** Whether the private half of a key is here. */
  holds(keyid: string): boolean
  /** Whether no other process has rotated or revoked the keys since they were opened. */
  areCurrent(): boolean
  /** The files of private keys by key id, unlisted ones included. */
  readonly files: ReadonlyMap<string, string>
}

/** Opens the private keys of a repository; each key is read when it first signs. */
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

/** Returns the holder part of a key file's name. */
const ownerOf = (file: string) => file.replace(/\.[0-9a-f]{64}\.pem$/, '')

/** Two changes within this many milliseconds may have the same file time. */
const TICK = 50
/** The longest time between creating a key and listing it, in milliseconds. */
const LISTING = 60_000

/** Returns a check that the holders' key files are unchanged; called for each entry, so it rarely lists the folder. */
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

/** Whether a gateway or log key was just created and may be being listed. */
function isOwnAndNew(file: string, now: number): boolean {
  if (!/^(?:gateway|log)\./.test(basename(file))) return false
  const made = lookAt(file)?.mtimeMs
  return made !== undefined && now - made < LISTING
}

/** Returns why a key file is unusable, and what to do; undefined if it is usable. */
export function whyUnusableKey(file: string, keyid: string): Unsafe | undefined {
  try {
    openKey(file, keyid)
    return undefined
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    return { what: error.message, remedy: error.hint ?? PUT_BACK }
  }
}

const PUT_BACK = 'restore the key file, or rotate the key: waybill key rotate'

/** Reads a key file, which must hold the key that its name says. */
function openKey(file: string, keyid: string): KeyObject {
  const key = readPrivateKey(file)
  const { createPublicKey } = process.getBuiltinModule('node:crypto')
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' })
  if (sha256(der) === keyid) return key
  throw new WaybillError('input-output', `${file} holds a different key than its name says`, {
    hint: PUT_BACK,
  })
}
