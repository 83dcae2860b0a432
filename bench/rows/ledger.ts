import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digestBytes } from '../../src/governance/index.ts'
import {
  inclusionProof,
  isIncluded,
  leafHash,
  type ReadTile,
  readTile,
  rootFromTiles,
  subtreeHash,
  TILE_WIDTH,
  tilePath,
} from '../../src/ledger/index.ts'
import { openGovernedRepository } from '../../test/governed-repository.ts'
import type { Figure } from '../figure.ts'
import { type Contender, median, race, wholeProcess } from '../measure.ts'
import type { Stage } from '../stage.ts'
import { fillLog } from '../workloads/ledger.ts'

const ENTRIES = 100_000
const LEAVES = 1_000_000
const PROOFS = 200
const ALONE = '`crypto.verify` in as many threads, for 256 of its entries over and over'

/** A log of accepted handoffs verified: its tree alone, and with every envelope, signature and key; on all cores. */
export async function verifiedLog(stage: Stage): Promise<Figure[]> {
  const repository = await openGovernedRepository()
  try {
    await fillLog(repository, ENTRIES)
    const [quick, whole, bare] = await race(stage.quick ? 1 : 5, [
      verifying(stage, repository.root, ['--quick']),
      verifying(stage, repository.root, []),
      signaturesAlone(repository.root),
    ])
    if (!quick || !whole || !bare) return []
    const what = '`log verify` of 100,000 entries'
    return [
      { what: `${what}: tree`, unit: 'ms', ours: quick, target: { kind: 'at-most', limit: 1000 } },
      // 12,000 entries a second on each of two cores.
      { what, unit: 'ms', ours: whole, target: { kind: 'at-most', limit: 4167 } },
      { what: `${what}: its signatures alone`, unit: 'ms', ours: bare, note: ALONE, detail: true },
    ]
  } finally {
    repository.remove()
  }
}

function verifying({ clone }: Stage, cwd: string, flags: readonly string[]): Contender {
  const args = ['log', 'verify', ...flags, '--format', 'json']
  return wholeProcess('waybill', { program: clone.program, args, cwd })
}

/** What of that is left when all else costs nothing: so many signatures, in as many threads. */
function signaturesAlone(cwd: string): Contender {
  const args = [join(import.meta.dirname, '../signatures.mjs'), '.waybill/ledger', String(ENTRIES)]
  return wholeProcess('crypto.verify', { program: process.execPath, args, cwd })
}

/** An inclusion proof from the tiles of a log of a million entries, read from the disk each time. */
export async function proofs(stage: Stage): Promise<Figure[]> {
  const folder = stage.folder('million')
  writeTiles(folder)
  const read: ReadTile = tile => readTile(folder, tile)
  const root = await rootFromTiles(digestBytes, LEAVES, read)
  let next = 0
  const run = async () => {
    const times: number[] = []
    for (let count = 0; count < PROOFS; count++) {
      next = (next + 618_033) % LEAVES
      const start = performance.now()
      const proof = await inclusionProof(digestBytes, LEAVES, next, read)
      times.push(performance.now() - start)
      const claim = { index: next, size: LEAVES, leaf: leafAt(next), proof, root }
      if (!isIncluded(digestBytes, claim)) throw new Error('the proof proves nothing')
    }
    return median(times)
  }
  const [ours] = await race(stage.quick ? 1 : 9, [{ name: 'waybill', run }])
  const what = 'inclusion proof at 1,000,000 entries, p50'
  return ours ? [{ what, unit: 'ms', ours, target: { kind: 'at-most', limit: 5 } }] : []
}

const leafAt = (index: number) => leafHash(digestBytes, Buffer.from(String(index)))

/** The tiles of hashes alone: proofs need no entries. */
function writeTiles(folder: string): void {
  let row = Buffer.concat(Array.from({ length: LEAVES }, (_, index) => leafAt(index)))
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
