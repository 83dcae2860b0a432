import type { Vouch } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { Trust } from '../trust/trust.ts'
import { auditEntry } from './entry.ts'
import { auditKeysOf, Keyring } from './keyring.ts'

/**
 * Tells of entries that no checkpoint covers whether the gateway of a log has made them. A key that was revoked since, or
 * has expired, was its key all the same: what it has promised is brought into the log, and told of by who audits that.
 */
export function voucherOf(trust: Trust, origin: string): Vouch {
  let keyring: Keyring | undefined
  return entry => {
    keyring ??= new Keyring(keysEver(trust, origin), sha256)
    const found = auditEntry(entry, keyring)
    if ('code' in found) return { fault: found.detail }
    if (found.is === 'erased') return { fault: 'it is erased before it is there' }
    return found
  }
}

const ALWAYS = Number.NEGATIVE_INFINITY

function keysEver(trust: Trust, origin: string) {
  return auditKeysOf(trust, origin).map(({ keyid, der, isGateway, holder }) => ({
    ...{ keyid, der, isGateway, holder },
    from: ALWAYS,
  }))
}
