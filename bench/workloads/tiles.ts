import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digestBytes } from '../../src/governance/index.ts'
import { leafHash, subtreeHash, TILE_WIDTH, tilePath } from '../../src/ledger/index.ts'

/** The leaf hash at an index of the generated logs. */
export const leafAt = (index: number) => leafHash(digestBytes, Buffer.from(String(index)))

/** Writes only the hash tiles of a log: proofs need no entries. */
export function writeTiles(folder: string, leaves: number): void {
  let row = Buffer.concat(Array.from({ length: leaves }, (_, index) => leafAt(index)))
  for (let level = 0; row.length > 0; level++) {
    const above: Uint8Array[] = []
    for (let at = 0; at < row.length; at += TILE_WIDTH * 32) {
      const bytes = row.subarray(at, at + TILE_WIDTH * 32)
      const tile = { level, index: at / (TILE_WIDTH * 32), width: bytes.length / 32 }
      const file = join(folder, tilePath(tile))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, bytes)
      if (tile.width === TILE_WIDTH) above.push(subtreeHash(digestBytes, bytes))
    }
    row = Buffer.concat(above)
  }
}
