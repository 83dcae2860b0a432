import type { Vouch } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { Trust } from '../trust/trust.ts'
import { auditEntry } from './entry.ts'
import { auditKeysOf, Keyring } from './keyring.ts'

/**
 * Verifies that the gateway of a log signed an entry that no checkpoint covers. Expired and revoked keys count too:
 * what they promised is added to the log, where an audit reports it.
 */
export function voucherOf(trust: Trust, origin: string): Vouch {
  let keyring: Keyring | undefined
  return entry => {
    keyring ??= new Keyring(keysEver(trust, origin), sha256)
    const found = auditEntry(entry, keyring)
    if ('code' in found) return { fault: found.detail }
    if (found.is === 'erased') return { fault: 'it is erased, but not in the log yet' }
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
