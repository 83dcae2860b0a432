import { existsSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { WaybillError } from '../../error.ts'
import { isSame } from '../hash.ts'
import { frontierFromTiles } from '../proofs.ts'
import { entries as entriesIn } from './fault.ts'
import type { FileFinding } from './finding.ts'
import { HEADER_SIZE } from './frame.ts'
import { type Places, placesIn } from './paths.ts'
import { sha256 } from './sha256.ts'
import { readTile } from './tiles.ts'
import { readTree } from './tree.ts'
import { readFrames, recordedLength, type Segment, segmentsIn } from './wal.ts'

/** A promised entry in a write-ahead segment that no checkpoint covers. */
export interface PendingEntry {
  readonly index: number
  readonly leaf: Uint8Array
  readonly content: Buffer
}

/** The end of the entries that write-ahead segments promise without a gap after a tree of a given size. */
export function promisedUntil(folder: string, size: number): number {
  let next = size
  try {
    const segments = segmentsIn(placesIn(folder).wal)
    for (const [at, segment] of segments.entries())
      for (const { first, entries } of readFrames(segment, at === segments.length - 1)) {
        if (first > next) return next
        next = Math.max(next, first + entries.length)
      }
  } catch {
    // A damaged segment promises nothing, and is reported separately.
  }
  return next
}

/** Compares the internal state of a log with its tree of a given size; `pending` receives every promised entry. */
export async function* auditState(
  folder: string,
  { origin, size }: { readonly origin: string; readonly size: number },
  pending: (entry: PendingEntry) => void = () => {},
): AsyncGenerator<FileFinding> {
  const places = placesIn(folder)
  if (!existsSync(dirname(places.tree))) {
    yield {
      found: 'ledger/state-missing',
      file: '.state',
      detail: 'only the public files are here',
    }
    return
  }
  const why = await whyOtherTree(places, origin, size)
  if (typeof why === 'string')
    yield { found: 'ledger/state-damaged', file: relative(folder, places.tree), detail: why }
  else if (why > size)
    yield {
      found: 'ledger/unpublished',
      file: relative(folder, places.tree),
      detail: `no checkpoint covers the last ${why - size} of the ${entriesIn(why)} in the tree yet`,
      upTo: why,
    }
  const segments = segmentsIn(places.wal)
  for (const [at, segment] of segments.entries())
    yield* auditSegment(folder, segment, at === segments.length - 1, size, pending)
}

/** The number of entries in the state, or why it does not match these tiles. */
async function whyOtherTree(
  places: Places,
  origin: string,
  size: number,
): Promise<number | string> {
  try {
    const state = readTree(places)
    if (!state) return size === 0 ? 0 : 'it is missing'
    const { frontier } = state
    if (state.origin !== origin) return `it belongs to the ledger ${state.origin}`
    if (frontier.size < size)
      return `it states ${entriesIn(frontier.size)}, but there ${size === 1 ? 'is' : 'are'} ${size}`
    const read = (tile: Parameters<typeof readTile>[1]) => readTile(places.folder, tile)
    const { hashes } = await frontierFromTiles(sha256, frontier.size, read)
    const isOurs =
      hashes.length === frontier.hashes.length &&
      hashes.every((hash, at) => isSame(hash, frontier.hashes[at] ?? new Uint8Array()))
    return isOurs ? frontier.size : 'it and the tiles describe different trees'
  } catch (error) {
    return error instanceof WaybillError ? error.message : 'it cannot be read'
  }
}

function* auditSegment(
  folder: string,
  segment: Segment,
  isLast: boolean,
  size: number,
  pending: (entry: PendingEntry) => void,
): Generator<FileFinding> {
  const file = relative(folder, segment.file)
  let [end, next, count] = [0, segment.first, 0]
  try {
    const length = recordedLength(segment, isLast)
    for (const frame of readFrames(segment, isLast)) {
      end += HEADER_SIZE + frame.length
      if (frame.first !== next)
        yield {
          found: 'ledger/write-ahead-damaged',
          file,
          detail: `it has no record of entry ${next}`,
        }
      next = frame.first + frame.entries.length
      for (const [at, { leaf, content }] of frame.entries.entries()) {
        if (frame.first + at < size) continue
        count++
        pending({ index: frame.first + at, leaf, content })
      }
    }
    if (end < length) {
      const detail = `its last ${length - end} bytes are an unfinished record`
      yield { found: 'ledger/write-ahead-torn', file, detail }
    }
  } catch (error) {
    if (!existsSync(segment.file)) return
    const detail = error instanceof WaybillError ? error.message : 'it cannot be read'
    yield { found: 'ledger/write-ahead-damaged', file, detail }
  }
  if (count > 0) {
    const detail = `it promises ${entriesIn(count)}, which the next write adds to the tree`
    yield { found: 'ledger/promises-pending', file, detail }
  }
}
