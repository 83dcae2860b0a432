import { relative, sep } from 'node:path'
import {
  type EntrySummary,
  ledgerFolder,
  readEntry,
  storedAt,
  summaryOf,
} from '../../governance/index.ts'
import { contentPath, hasSeal, type LogReader, readLines, TILE_WIDTH } from '../../ledger/index.ts'
import { walk } from '../../workspace/index.ts'
import type { LogEraseOutput } from './output.ts'

type Ids = EntrySummary['ids']

/** Places that an erasure does not reach. */
export const NOT_ERASED: readonly string[] = [
  'documents, envelopes and receipts in the repository and at their recipients',
  'their copies in Git history and clones',
  'backups of .waybill, and remnants on the disk',
]

/** Lists the ids of an erased entry, which stay readable and may contain personal data. */
export function keptIds(ids: Ids): readonly string[] {
  const named = Object.entries(ids).map(([what, id]) => `${what} ${[id].flat().join(', ')}`)
  if (named.length === 0) return []
  return [
    `the ids of the entry: ${named.join(', ')}; its tombstone, the index of the log and the entry about the erasure keep them readable`,
  ]
}

/** Lists the content file of a migrated (sealed) log that still contains an entry. */
export function sealedHolding(root: string, index: number): readonly string[] {
  const folder = ledgerFolder(root)
  if (!hasSeal(folder)) return []
  const path = contentPath('', Math.floor(index / TILE_WIDTH))
  const line = lineIn(folder, index)
  if (!line || readEntry(line).is === 'erased') return []
  const shown = relative(root, folder).split(sep).join('/')
  return [
    `${path.split(sep).join('/')} in the sealed ${shown}, the old log before migration: it is read-only, so delete that folder by hand`,
  ]
}

function lineIn(folder: string, index: number): string | undefined {
  try {
    return readLines(folder, Math.floor(index / TILE_WIDTH)).at(index % TILE_WIDTH)
  } catch {
    // An unreadable file leaks nothing; verifying the sealed log reports it.
    return undefined
  }
}

/** Kinds of entries that contain the text of a handoff. */
const HOLDING = ['handoff-sent', 'handoff-accepted']

/** Returns other entries that contain the text of the same handoff. */
export async function holdingToo(
  log: LogReader,
  erased: number,
  { handoff }: Ids,
): Promise<LogEraseOutput['alsoHolding']> {
  if (handoff === undefined) return []
  const found: { index: number; digest: string; kind: string }[] = []
  for (const index of await log.find(`id:${handoff}`)) {
    const { state, digest, kind } = summaryOf(index, await storedAt(log, index))
    if (index === erased || state !== 'kept' || digest === null || kind === null) continue
    if (HOLDING.includes(kind)) found.push({ index, digest, kind })
  }
  return found
}

/** Finds files named after the handoff, except those that `.gitignore` excludes. */
export function filesNamedAfter(root: string, { handoff }: Ids): readonly string[] {
  // A well-formed id has no special characters of a regular expression.
  if (handoff === undefined || !/^[0-9a-f-]{36}$/.test(handoff)) return []
  const { files } = walk(root, root, { names: new RegExp(`^${handoff}\\.`) })
  return files.map(file => relative(root, file).split(sep).join('/'))
}
