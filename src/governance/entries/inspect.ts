import { type KeyObject, verify as verifySignature } from 'node:crypto'
import { parseInstant } from '../../document/index.ts'
import {
  type Envelope,
  fromBase64,
  type LogReader,
  leafHash,
  paeOf,
  toHex,
} from '../../ledger/index.ts'
import { digestBytes } from '../digest.ts'
import { holderText } from '../trust/holder.ts'
import { standing, type Trust } from '../trust/trust.ts'
import type { ReadEntry } from './entry.ts'
import type { KeptEntry } from './erased.ts'
import { leafAt } from './leaf.ts'

/** The result of verifying a single entry. */
export interface EntryInspection {
  /** The hex hash of its leaf; null if the tree cannot be read. */
  readonly leaf: string | null
  /** Whether the leaf matches the content; for a tombstone, whether both name the same entry. */
  readonly inTree: boolean
  readonly signatures: readonly {
    readonly keyid: string
    readonly holder: string | null
    readonly verdict: 'good' | 'bad' | 'unknown-key'
  }[]
}

/** Verifies an entry against its leaf and its signatures. */
export async function inspectEntry(
  log: LogReader,
  index: number,
  entry: ReadEntry,
  trust: Trust,
): Promise<EntryInspection> {
  const leaf = await leafAt(log, index)
  const hash = leaf && toHex(leafHash(digestBytes, leaf))
  const stands = entry.is === 'differs' ? entry.instead : entry
  return {
    leaf: hash ?? null,
    inTree: leaf !== undefined && (entry.is === 'entry' || entry.is === 'erased'),
    signatures: stands.is === 'entry' ? signaturesOf(stands.envelope, trust) : [],
  }
}

/** Whether the gateway of a log signed an entry with a key valid at the entry's time. */
export function isByGateway(
  { statement, envelope }: KeptEntry,
  { origin, trust }: { readonly origin: string; readonly trust: Trust },
): boolean {
  const at = parseInstant(String(statement.predicate.at))
  return signaturesOf(envelope, trust).some(({ keyid, verdict }) => {
    const key = trust.of('gateway', origin).find(one => one.keyid === keyid)
    return verdict === 'good' && key && at !== undefined && standing(key, at) === 'valid'
  })
}

function signaturesOf(envelope: Envelope, trust: Trust): EntryInspection['signatures'] {
  const payload = fromBase64(envelope.payload) ?? new Uint8Array()
  const message = paeOf(envelope.payloadType, payload)
  return envelope.signatures.map(({ keyid, sig }) => {
    const key = trust.byId(keyid)
    if (!key) return { keyid, holder: null, verdict: 'unknown-key' }
    const isGood = isSignature(message, key.publicKey.key, fromBase64(sig))
    return { keyid, holder: holderText(key.holder), verdict: isGood ? 'good' : 'bad' }
  })
}

function isSignature(message: Uint8Array, key: KeyObject, sig: Uint8Array | undefined): boolean {
  try {
    return sig !== undefined && verifySignature('sha256', message, key, sig)
  } catch {
    return false
  }
}
