import type { EntryKeys } from '../../ledger/index.ts'
import type { EntryIds } from './predicates.ts'

/** What remains of an erased entry: its name, ids and index keys, and who erased it and why. */
export interface Tombstone {
  /** The name of the entry: hex SHA-256 of the signed bytes. */
  readonly digest: string
  readonly ids: EntryIds
  readonly keys: EntryKeys
  readonly reason: string
  readonly by: string
  /** ISO 8601. */
  readonly at: string
}

/** Formats a tombstone as the line that replaces an entry's content. */
export function formatTombstone({ digest, ids, keys, reason, by, at }: Tombstone): string {
  return JSON.stringify({ tombstone: { digest, ids, keys, reason, by, at } })
}

/** Parses a content as a tombstone; undefined for anything else. */
export function parseTombstone(content: string): Tombstone | undefined {
  // The first key tells them apart: an envelope begins with its payload.
  if (!content.startsWith('{"tombstone":')) return undefined
  try {
    const { tombstone } = JSON.parse(content) as { tombstone: unknown }
    return isTombstone(tombstone) ? tombstone : undefined
  } catch {
    return undefined
  }
}

function isTombstone(value: unknown): value is Tombstone {
  if (typeof value !== 'object' || value === null) return false
  const { digest, ids, keys, reason, by, at } = value as Record<string, unknown>
  return (
    typeof digest === 'string' &&
    /^[0-9a-f]{64}$/.test(digest) &&
    typeof ids === 'object' &&
    ids !== null &&
    isKeys(keys) &&
    [reason, by, at].every(text => typeof text === 'string')
  )
}

/** Whether a value has the form of an entry's index keys. */
export function isKeys(value: unknown): value is EntryKeys {
  if (typeof value !== 'object' || value === null) return false
  const { unique, also } = value as Record<string, unknown>
  return [unique, also].every(
    list => Array.isArray(list) && list.every(key => typeof key === 'string'),
  )
}
