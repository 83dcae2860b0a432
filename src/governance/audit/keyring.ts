import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Trust } from '../trust/trust.ts'
import { standing } from '../trust/trust.ts'
import type { AuditCode } from './codes.ts'

/** A key that may sign entries; plain data, to be sent to other threads. */
export interface AuditKey {
  readonly keyid: string
  /** SPKI. */
  readonly der: Uint8Array
  /** Whether it belongs to the gateway of the audited log. */
  readonly isGateway: boolean
  readonly holder: string
  readonly from: number
  readonly until?: number
  readonly revoked?: number
}

/** Returns the P-256 keys that a configuration trusts, as seen from one log. */
export function auditKeysOf(trust: Trust, origin: string): readonly AuditKey[] {
  return trust.keys
    .filter(({ publicKey }) => publicKey.algorithm === 'ecdsa-p256')
    .map(({ keyid, publicKey, holder, from, until, revoked }) => ({
      keyid,
      der: publicKey.der,
      isGateway: holder.kind === 'gateway' && holder.name === origin,
      holder: `${holder.kind} ${holder.name}`,
      from,
      ...(until !== undefined && { until }),
      ...(revoked !== undefined && { revoked }),
    }))
}

/** A parsed key, with its trust if it is listed. */
export interface KnownKey {
  readonly keyid: string
  readonly known: AuditKey | undefined
  readonly key: KeyObject
}

const CODES = {
  'not-yet': 'ledger/key-not-yet-valid',
  expired: 'ledger/key-expired',
  revoked: 'ledger/key-revoked',
} as const satisfies Readonly<Record<string, AuditCode>>

/** The keys of entries, each parsed on first use. */
export class Keyring {
  readonly #trusted: ReadonlyMap<string, AuditKey> | undefined
  readonly #met = new Map<string, KnownKey | undefined>()
  readonly #texts = new Map<string, KnownKey>()
  readonly #keyid: (der: Uint8Array) => string

  /** @param trusted Undefined to accept any key. */
  constructor(trusted: readonly AuditKey[] | undefined, keyid: (der: Uint8Array) => string) {
    this.#trusted = trusted && new Map(trusted.map(key => [key.keyid, key]))
    this.#keyid = keyid
  }

  /** Returns the key of a leaf; undefined if its bytes are not a P-256 key. */
  find(der: Uint8Array): KnownKey | undefined {
    const name = Buffer.from(der.buffer, der.byteOffset, der.length).toString('latin1')
    if (!this.#met.has(name)) this.#met.set(name, this.#meet(der))
    return this.#met.get(name)
  }

  /** Like `find`, for a key in base64; undefined if the base64 is not canonical. */
  findText(text: string): KnownKey | undefined {
    const met = this.#texts.get(text)
    if (met) return met
    const der = Buffer.from(text, 'base64')
    const key = der.toString('base64') === text ? this.find(der) : undefined
    if (key) this.#texts.set(text, key)
    return key
  }

  /** Returns why a signature made at a time is not accepted; undefined if it is. */
  whyNot({ known }: KnownKey, at: number): AuditCode | undefined {
    if (!this.#trusted) return undefined
    if (!known) return 'ledger/unknown-key'
    if (!known.isGateway) return 'ledger/wrong-holder'
    const stands = standing(known, at)
    return stands === 'valid' ? undefined : CODES[stands]
  }

  #meet(der: Uint8Array): KnownKey | undefined {
    try {
      const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
      if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return undefined
      const keyid = this.#keyid(der)
      return { keyid, known: this.#trusted?.get(keyid), key }
    } catch {
      return undefined
    }
  }
}

/** Whether a DER signature over a message is by a key. */
export function isSignedBy({ key }: KnownKey, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify('sha256', message, key, signature)
  } catch {
    return false
  }
}
