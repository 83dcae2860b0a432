import type { EntryKeys } from '../../ledger/index.ts'
import type { EntryIds } from './predicates.ts'

/** What stays of an erased entry: that there was one, by what it is found, and who erased it and why. */
export interface Tombstone {
  /** Hex SHA-256 of the signed bytes: the name of the entry. */
  readonly digest: string
  readonly ids: EntryIds
  readonly keys: EntryKeys
  readonly reason: string
  readonly by: string
  /** ISO 8601. */
  readonly at: string
}

/** Writes a tombstone as the one line that takes the place of an entry's content. */
export function formatTombstone({ digest, ids, keys, reason, by, at }: Tombstone): string {
  return JSON.stringify({ tombstone: { digest, ids, keys, reason, by, at } })
}

/** Reads a content as a tombstone; `undefined` for anything else. */
export function parseTombstone(content: string): Tombstone | undefined {
  // The first key tells: an envelope begins with its payload.
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

/** Whether a value is the keys of an entry. */
export function isKeys(value: unknown): value is EntryKeys {
  if (typeof value !== 'object' || value === null) return false
  const { unique, also } = value as Record<string, unknown>
  return [unique, also].every(
    list => Array.isArray(list) && list.every(key => typeof key === 'string'),
  )
}
