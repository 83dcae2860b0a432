import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { canonicalJson, type LogReader, type Receipt } from '../../ledger/index.ts'
import { stateFolder } from '../../workspace/index.ts'
import type { AsRecorded } from '../entries/as-recorded.ts'
import { keysIn, type ReadEntry } from '../entries/entry.ts'
import { findErasure, isErasable, type KeptEntry, tombstoneOf } from '../entries/erased.ts'
import type { EntryIds } from '../entries/predicates.ts'
import { type EntrySummary, erasedNote, summaryOf } from '../entries/summary.ts'
import { formatTombstone, type Tombstone } from '../entries/tombstone.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { PersonStanding } from '../people/person.ts'

/** A person's statement that erases an entry. */
export interface Erasure {
  /** The name of the entry, hex SHA-256. */
  readonly digest: string
  readonly index: number
  readonly by: string
  readonly why: string
}

/**
 * Returns the text that a person signs: canonical JSON, so that anyone can reproduce it.
 *
 * @throws {WaybillError} 'usage' when a field cannot be written as canonical JSON.
 */
export function erasureText(
  { digest, index, by, why }: Erasure,
  origin: string,
  at: number,
): string {
  const type = 'urn:waybill:statement:erasure'
  const text = canonicalJson({ type, origin, digest, index, by, why, at: formatInstant(at) })
  if (typeof text === 'string') return text
  throw new WaybillError('usage', `cannot sign this: ${text.fault}`)
}

/**
 * Requires an entry that can be erased.
 *
 * @throws {WaybillError} 'usage' when the log must keep it.
 */
export function refuseKept(entry: KeptEntry, index: number): void {
  if (isErasable(entry)) return
  const what = entry.kind ?? 'unknown kind'
  throw new WaybillError('usage', `entry ${index} (${what}) cannot be erased`, {
    hint: 'only handoffs and records can be erased: other entries hold no document text, and decisions rest on them',
  })
}

/** Records the erasure of an entry by a person. */
export async function recordErasure(
  { digest, index, why }: Erasure,
  entry: AsRecorded,
  person: PersonStanding,
  stated: string,
  gateway: Gateway,
): Promise<Receipt> {
  const { agents, ids } = summaryOf(index, entry)
  const { by, standing } = person
  const receipt = await gateway.record('erasure', {
    subject: [{ name: 'entry', digest: { sha256: digest } }],
    ids: { ...ids, entry: digest },
    agents,
    says: {
      ...{ digest, index, reason: why, keys: keysIn(entry), by, standing, stated },
      ...(person.standing === 'proved' && { proof: person.proof }),
    },
  })
  if ('taken' in receipt) throw new Error('an erasure has no unique key')
  return receipt
}

/** Summarizes an entry; for an erased one, adds from the recorded erasure whether a key proves who did it. */
export async function summaryIn(
  log: LogReader,
  index: number,
  entry: ReadEntry,
): Promise<EntrySummary> {
  const summary = summaryOf(index, entry)
  if (entry.is !== 'erased') return summary
  const standing = (await findErasure(log, entry.digest))?.standing ?? null
  if (standing === null) return summary
  const note = erasedNote(index, entry, `${entry.tombstone.by} (${standing})`)
  return { ...summary, standing, note }
}

/** Replaces an entry whose erasure is recorded with a tombstone. */
export async function putTombstone(
  { log }: Pick<Gateway, 'log'>,
  index: number,
  entry: KeptEntry,
  erasure: Pick<Tombstone, 'by' | 'at' | 'reason'>,
): Promise<void> {
  await log.erase(index, formatTombstone(tombstoneOf(entry, erasure)))
}

/**
 * Removes the files of an imported record, which hold the same data as its entry, and returns those that existed.
 *
 * @throws {WaybillError} 'input-output' when a file cannot be removed.
 */
export function removeRecordFiles(root: string, ids: EntryIds): readonly string[] {
  const { record } = ids
  if (record === undefined || !/^[0-9a-f]{64}$/.test(record)) return []
  const folder = join(stateFolder(root), 'records')
  const files = [join(folder, 'imported', `${record}.json`), join(folder, `${record}.json`)]
  return files.filter(file => {
    try {
      rmSync(file)
      return true
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code === 'ENOENT') return false
      throw new WaybillError('input-output', `${file} cannot be removed (${code})`, {
        hint: 'the entry is erased; remove this file by hand',
        cause,
      })
    }
  })
}
