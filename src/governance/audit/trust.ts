import { verify } from 'node:crypto'
import { quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { sha256 } from '../../workspace/index.ts'
import { readPublicKey } from '../trust/public-key.ts'
import type { Times, Trust } from '../trust/trust.ts'
import { type AuditKey, auditKeysOf } from './keyring.ts'

/** A key that may sign checkpoints. */
export interface CheckpointKey extends Times {
  readonly name: string
  /** Eight hex digits. */
  readonly id: string
  verify(message: Uint8Array, signature: Uint8Array): boolean
}

/** The keys that an audit trusts. */
export interface AuditTrust {
  /** The expected log; undefined to accept any log with a trusted key. */
  readonly origin: string | undefined
  readonly checkpoints: readonly CheckpointKey[]
  /** The keys that may sign entries; undefined if none are listed. */
  entries(origin: string): readonly AuditKey[] | undefined
  /** The listed gateway keys of another log; empty if only bare keys were given. */
  others(origin: string): readonly AuditKey[]
  /** The whole trust list, with people and agents; undefined if only bare keys were given. */
  readonly listed: Trust | undefined
}

/** Returns the trust that a configuration lists. */
export function auditTrustOf(trust: Trust, origin: string | undefined): AuditTrust {
  const checkpoints = trust.keys.flatMap(({ holder, publicKey, from, until, revoked }) =>
    holder.kind === 'log' && publicKey.note
      ? [
          {
            ...publicKey.note,
            from,
            ...(until !== undefined && { until }),
            ...(revoked !== undefined && { revoked }),
            verify: (message: Uint8Array, signature: Uint8Array) =>
              verify(null, message, publicKey.key, signature),
          },
        ]
      : [],
  )
  return {
    origin,
    checkpoints,
    entries: of => auditKeysOf(trust, of),
    others: of => auditKeysOf(trust, of).filter(({ isGateway }) => isGateway),
    listed: trust,
  }
}

const ALWAYS = Number.NEGATIVE_INFINITY
/** The base64 prefix of every P-256 SPKI key. */
const SPKI = 'MFkwEwYH'

/**
 * Returns trust in the given keys: verifier keys of logs, and P-256 keys of their gateways as base64 of the SPKI.
 *
 * @throws {WaybillError} 'usage' when a key cannot be parsed.
 */
export function auditTrustIn(texts: readonly string[]): AuditTrust {
  const checkpoints: CheckpointKey[] = []
  const gateways: { keyid: string; der: Uint8Array }[] = []
  for (const text of texts) {
    const kind = text.startsWith(SPKI) ? 'gateway' : 'log'
    const key = readPublicKey(kind, text)
    if ('fault' in key) throw noKey(text, key.fault)
    if (key.note)
      checkpoints.push({
        ...key.note,
        from: ALWAYS,
        verify: (message, signature) => verify(null, message, key.key, signature),
      })
    else gateways.push({ keyid: sha256(key.der), der: key.der })
  }
  const entries = (origin: string) =>
    gateways.map(key => ({ ...key, isGateway: true, holder: `gateway ${origin}`, from: ALWAYS }))
  return {
    origin: undefined,
    checkpoints,
    entries: origin => (gateways.length === 0 ? undefined : entries(origin)),
    others: () => [],
    listed: undefined,
  }
}

/**
 * Requires at least one key of a log: gateway keys alone cannot verify a checkpoint.
 *
 * @throws {WaybillError} 'usage' when there is none.
 */
export function requireLogKey(trust: AuditTrust): AuditTrust {
  if (trust.checkpoints.length > 0) return trust
  throw noKey(undefined, 'none of the keys is a log key')
}

function noKey(text: string | undefined, why: string): WaybillError {
  const what = text === undefined ? why : `${quote(text)} is not a valid key: ${why}`
  return new WaybillError('usage', what, {
    hint: 'give the log’s key as <origin>+<id>+<base64>, and its gateway’s key as the base64 of the SPKI: both are listed under trust: in waybill.yaml',
  })
}
