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

/** What an erasure never reaches. */
export const NOT_ERASED: readonly string[] = [
  'documents, envelopes and receipts in the repository and with those who received them',
  'what Git has of them: its history, and every clone',
  'backups of .waybill, and what the disk keeps of a file that was replaced',
]

/** The ids of an erased entry, by which it is still found: whoever has put something personal into one is told. */
export function keptIds(ids: Ids): readonly string[] {
  const named = Object.entries(ids).map(([what, id]) => `${what} ${[id].flat().join(', ')}`)
  if (named.length === 0) return []
  return [
    `the ids of the entry: ${named.join(', ')}; its tombstone, the index of the log and the entry about the erasure keep them readable, whatever somebody has written into them`,
  ]
}

/** Where a log that was moved into a database still holds an entry in files: a sealed log is not written to. */
export function sealedHolding(root: string, index: number): readonly string[] {
  const folder = ledgerFolder(root)
  if (!hasSeal(folder)) return []
  const path = contentPath('', Math.floor(index / TILE_WIDTH))
  const line = lineIn(folder, index)
  if (!line || readEntry(line).is === 'erased') return []
  const shown = relative(root, folder).split(sep).join('/')
  return [
    `${path.split(sep).join('/')} in the sealed ${shown}, from which the log was moved: nothing is written there, so remove that folder by hand`,
  ]
}

function lineIn(folder: string, index: number): string | undefined {
  try {
    return readLines(folder, Math.floor(index / TILE_WIDTH)).at(index % TILE_WIDTH)
  } catch {
    // What cannot be read there, others cannot read either; verifying the sealed log says what is wrong with it.
    return undefined
  }
}

/** Kinds of entries that hold the text of a handoff. */
const HOLDING = ['handoff-sent', 'handoff-accepted']

/** Other entries about the same handoff that hold its text. */
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

/** Files that carry the id of the handoff in their name; those that `.gitignore` hides are not looked for. */
export function filesBeside(root: string, { handoff }: Ids): readonly string[] {
  // An id that is one holds nothing that means anything in a pattern.
  if (handoff === undefined || !/^[0-9a-f-]{36}$/.test(handoff)) return []
  const { files } = walk(root, root, { names: new RegExp(`^${handoff}\\.`) })
  return files.map(file => relative(root, file).split(sep).join('/'))
}
