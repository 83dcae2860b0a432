import { WaybillError } from '../error.ts'
import { parseDecimal } from './decimal.ts'

/** The number of hashes or entries in a full tile. */
export const TILE_WIDTH = 256

/** One file of a log (C2SP tlog-tiles): hashes of a level, or entries. Width is 1 to 256; 256 is full. */
export interface Tile {
  readonly level: number | 'entries'
  readonly index: number
  readonly width: number
}

const MOST_LEVELS = 64
const LONGEST_ENTRY = 65_535
const PATH = /^tile\/(entries|[0-9]{1,2})\/((?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/([0-9]{1,3}))?$/

/** The path of a tile below a log's prefix, such as `tile/0/x001/234` or `tile/entries/000.p/5`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0')
  const elements = padded.match(/[0-9]{3}/g) ?? []
  const place = elements.map((part, at) => (at < elements.length - 1 ? `x${part}` : part)).join('/')
  return `tile/${level}/${place}${width === TILE_WIDTH ? '' : `.p/${width}`}`
}

/** Parses the path of a tile; returns nothing for a path that `tilePath` would not write. */
export function parseTilePath(path: string): Tile | undefined {
  const found = PATH.exec(path)
  if (!found) return undefined
  const level: Tile['level'] = found[1] === 'entries' ? 'entries' : Number(found[1])
  const index = Number((found[2] ?? '').replaceAll(/[x/]/g, ''))
  const width = found[3] === undefined ? TILE_WIDTH : (parseDecimal(found[3]) ?? 0)
  if (!Number.isSafeInteger(index) || width < 1 || width > TILE_WIDTH) return undefined
  if (level !== 'entries' && level >= MOST_LEVELS) return undefined
  const tile: Tile = { level, index, width }
  return tilePath(tile) === path ? tile : undefined
}

/** The number of hashes in a level of a log of a given size; entries count as leaves. */
export function hashesAt(level: Tile['level'], size: number): number {
  return level === 'entries' ? size : Math.floor(size / TILE_WIDTH ** level)
}

/** All tiles and entry bundles of a log of a given size. */
export function tilesOf(size: number): Generator<Tile> {
  return newTiles(0, size)
}

/** The tiles and bundles to write when a log grows: entries first, then each level upwards. */
export function* newTiles(before: number, size: number): Generator<Tile> {
  yield* newTilesAt('entries', before, size)
  for (let level = 0; hashesAt(level, size) > 0; level++) yield* newTilesAt(level, before, size)
}

function* newTilesAt(level: Tile['level'], before: number, size: number): Generator<Tile> {
  const had = hashesAt(level, before)
  const has = hashesAt(level, size)
  if (has <= had) return
  for (let index = Math.floor(had / TILE_WIDTH); index * TILE_WIDTH < has; index++)
    yield tileAt(level, index, size)
}

/** The tile at a place, with its width in a log of a given size. */
export function tileAt(level: Tile['level'], index: number, size: number): Tile {
  return { level, index, width: Math.min(TILE_WIDTH, hashesAt(level, size) - index * TILE_WIDTH) }
}

/** Encodes entries as a bundle: each after its length in two bytes, so at most 65,535 bytes long. */
export function encodeBundle(entries: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((length, entry) => length + 2 + entry.length, 0))
  let at = 0
  for (const entry of entries) {
    if (entry.length > LONGEST_ENTRY)
      throw new WaybillError('internal', `an entry of ${entry.length} bytes is too long for a log`)
    bytes[at] = Math.floor(entry.length / 256)
    bytes[at + 1] = entry.length % 256
    bytes.set(entry, at + 2)
    at += 2 + entry.length
  }
  return bytes
}

/** Decodes a bundle; returns nothing if it is truncated or has more entries than a tile. */
export function decodeBundle(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const entries: Uint8Array[] = []
  let at = 0
  while (at < bytes.length) {
    const end = at + 2 + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
    if (at + 2 > bytes.length || end > bytes.length || entries.length === TILE_WIDTH)
      return undefined
    entries.push(bytes.subarray(at + 2, end))
    at = end
  }
  return entries
}
