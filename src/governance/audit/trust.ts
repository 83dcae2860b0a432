import { verify } from 'node:crypto'
import { quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { sha256 } from '../../workspace/index.ts'
import { readPublicKey } from '../trust/public-key.ts'
import type { Times, Trust } from '../trust/trust.ts'
import { type AuditKey, auditKeysOf } from './keyring.ts'

/** A key that checkpoints may be signed with. */
export interface CheckpointKey extends Times {
  readonly name: string
  /** Eight hex digits. */
  readonly id: string
  verify(message: Uint8Array, signature: Uint8Array): boolean
}

/** Whom somebody trusts who verifies a log. */
export interface AuditTrust {
  /** The log that is expected; absent where any of a trusted key will do. */
  readonly origin: string | undefined
  readonly checkpoints: readonly CheckpointKey[]
  /** The keys of entries; absent where nobody has vouched for any. */
  entries(origin: string): readonly AuditKey[] | undefined
  /** The keys of a gateway that is listed by name, though it keeps another log; none where keys alone were given. */
  others(origin: string): readonly AuditKey[]
  /** The keys of people and agents with all others; absent where keys alone were given. */
  readonly listed: Trust | undefined
}

/** Trust as a configuration lists it. */
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
/** How the base64 of every P-256 key begins. */
const SPKI = 'MFkwEwYH'

/** Trust in keys that an auditor was given: verifier keys of logs, and P-256 keys of their gateways as base64 of the SPKI. */
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

/** Refuses keys of gateways alone: a log is verified by its own. */
export function requireLogKey(trust: AuditTrust): AuditTrust {
  if (trust.checkpoints.length > 0) return trust
  throw noKey(undefined, 'none of the keys is that of a log')
}

function noKey(text: string | undefined, why: string): WaybillError {
  const what = text === undefined ? why : `${quote(text)} is no key: ${why}`
  return new WaybillError('usage', what, {
    hint: 'give the log’s key as <origin>+<id>+<base64>, and its gateway’s as the base64 of the SPKI: both stand under trust: in waybill.yaml',
  })
}
