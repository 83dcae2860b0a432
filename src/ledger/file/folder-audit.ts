import { join } from 'node:path'
import { hashesAt, parseTilePath, TILE_WIDTH, type Tile, tileAt } from '../tile.ts'
import { isMissing, reasonOf } from './fault.ts'
import type { FileFinding } from './finding.ts'
import { lineEnd } from './lines.ts'
import { contentPath } from './paths.ts'
import { readShared } from './shared-memory.ts'
import { readTile } from './tiles.ts'
import { filesBelow } from './walk.ts'

/**
 * Checks every file in a log's folder that is not part of its tree at a given size: formerly partial tiles, contents
 * after the last entry, and stray files.
 */
export function* auditFolder(folder: string, size: number): Generator<FileFinding> {
  for (const file of filesBelow(folder)) {
    const area = areaOf(file)
    if (area === 'tile') yield* auditOldTile(folder, file, size)
    else if (area === 'content') yield* auditEnd(folder, file, size)
    else if (area === 'temporary')
      yield {
        found: 'ledger/unpublished',
        file,
        detail: 'it was being written, or the write was interrupted',
      }
    else if (area === undefined) yield stray(file)
  }
}

/** The part of a log that a file belongs to; files checked elsewhere are matched by name. */
function areaOf(file: string): 'tile' | 'content' | 'temporary' | 'state' | undefined {
  if (file.startsWith('tile/')) return 'tile'
  if (file.startsWith('content/')) return 'content'
  if (file.startsWith('.state/tmp/') || ['.checkpoint.new', '.sealed.new'].includes(file))
    return 'temporary'
  const isState =
    ['checkpoint', 'sealed', '.state/tree'].includes(file) ||
    /^\.state\/keys\/[^/]+$/.test(file) ||
    /^\.state\/wal\/(?:0|[1-9][0-9]{0,15})$/.test(file)
  return isState ? 'state' : undefined
}

const stray = (file: string): FileFinding => ({
  found: 'ledger/stray-file',
  file,
  detail: 'it is not part of a log',
})

const ahead = (file: string, detail: string, upTo: number): FileFinding => ({
  found: 'ledger/unpublished',
  file,
  detail,
  upTo,
})

/** A narrower or wider tile must agree with the published one. */
function* auditOldTile(folder: string, file: string, size: number): Generator<FileFinding> {
  const tile = parseTilePath(file)
  if (!tile) {
    yield stray(file)
    return
  }
  const has = hashesAt(tile.level, size) - tile.index * TILE_WIDTH
  if (tile.width > has) {
    yield ahead(file, 'no checkpoint covers all of it yet', size + 1)
    return
  }
  const counts = tileAt(tile.level, tile.index, size)
  if (tile.width === counts.width) return
  if (!isBeginning(folder, tile, counts))
    yield {
      found: 'ledger/tile-differs',
      file,
      detail: 'it differs from the start of the published tile',
    }
}

function isBeginning(folder: string, old: Tile, counts: Tile): boolean {
  try {
    const bytes = readTile(folder, old)
    const whole = readTile(folder, counts).subarray(0, bytes.length)
    return bytes.length > 0 && Buffer.compare(bytes, whole) === 0 && isEven(bytes, old)
  } catch {
    return false
  }
}

/** A truncated bundle, too, must match the start of the published one. */
function isEven(bytes: Uint8Array, { level, width }: Tile): boolean {
  if (level !== 'entries') return bytes.length === width * 32
  let [at, count] = [0, 0]
  for (; at < bytes.length; count++) at += 2 + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
  return at === bytes.length && count === width
}

/** Content after the last published entry. */
function* auditEnd(folder: string, file: string, size: number): Generator<FileFinding> {
  const tile = parseTilePath(`tile/entries/${file.slice('content/'.length)}`)
  if (tile?.width !== TILE_WIDTH || contentPath('', tile.index) !== file) {
    yield stray(file)
    return
  }
  const has = size - tile.index * TILE_WIDTH
  if (has <= 0) {
    yield ahead(file, 'no checkpoint covers it yet', size + 1)
    return
  }
  const surplus = surplusOf(join(folder, file), Math.min(has, TILE_WIDTH))
  if (typeof surplus === 'string') yield { found: 'ledger/unreadable', file, detail: surplus }
  else if (surplus > 0 && has < TILE_WIDTH) {
    const detail = `its last ${surplus} bytes belong to no published entry`
    yield ahead(file, detail, size + 1)
  } else if (surplus > 0)
    yield {
      found: 'ledger/content-surplus',
      file,
      detail: `${surplus} bytes follow the last of its 256 entries`,
    }
}

/** The number of bytes after so many lines, or why it is unknown. */
function surplusOf(file: string, lines: number): number | string {
  try {
    const bytes = readShared(file)
    let at = 0
    for (let line = 0; line < lines; line++) {
      const end = lineEnd(bytes, at)
      if (end < 0) return 0
      at = end + 1
    }
    return bytes.length - at
  } catch (cause) {
    return isMissing(cause) ? 0 : reasonOf(cause)
  }
}
