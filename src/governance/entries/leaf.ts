import {
  decodeBundle,
  type LogReader,
  parseLeaf,
  TILE_WIDTH,
  tileAt,
  toBase64,
} from '../../ledger/index.ts'
import type { ReadContent } from './entry.ts'

interface Bundle {
  readonly number: number
  readonly leaves: readonly Uint8Array[]
}

/** Caches the last bundle: reads are mostly sequential. */
const lastRead = new WeakMap<LogReader, Bundle>()

/** Returns the leaf of a published entry; undefined if its bundle cannot be read. */
export async function leafAt(log: LogReader, index: number): Promise<Uint8Array | undefined> {
  const number = Math.floor(index / TILE_WIDTH)
  const place = index % TILE_WIDTH
  const last = lastRead.get(log)
  const known = last?.number === number ? last.leaves[place] : undefined
  if (known) return known
  const size = await log.size()
  if (index >= size) return undefined
  const leaves = decodeBundle(await log.tile(tileAt('entries', number, size)))
  if (leaves) lastRead.set(log, { number, leaves })
  return leaves?.[place]
}

/** Whether a leaf matches a content; for a tombstone, whether both name the same entry. */
export function isLeafOf(bytes: Uint8Array, content: ReadContent): boolean {
  const leaf = parseLeaf(bytes)
  if (content.is === 'unreadable' || 'fault' in leaf || leaf.digest !== content.digest) return false
  if (content.is === 'erased') return true
  const sig = toBase64(leaf.signature)
  return content.envelope.signatures.some(one => one.sig === sig)
}

/** Returns the name of a leaf's entry; undefined if the leaf is malformed. */
export function nameIn(bytes: Uint8Array): string | undefined {
  const leaf = parseLeaf(bytes)
  return 'fault' in leaf ? undefined : leaf.digest
}
