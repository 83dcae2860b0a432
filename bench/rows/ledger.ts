import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { digestBytes } from '../../src/governance/index.ts'
import {
  inclusionProof,
  isIncluded,
  type ReadTile,
  readTile,
  rootFromTiles,
} from '../../src/ledger/index.ts'
import { openGovernedRepository } from '../../test/governed-repository.ts'
import type { Figure, Skip } from '../figure.ts'
import { type Contender, MEMORY_METER, median, peakMemory, race, wholeProcess } from '../measure.ts'
import type { Stage } from '../stage.ts'
import { fillLog } from '../workloads/ledger.ts'
import { leafAt, writeTiles } from '../workloads/tiles.ts'

const ENTRIES = 100_000
const LEAVES = 1_000_000
const FEW = 10_000
const PROOFS = 200
const PROOFS_FOR_MEMORY = 2_000
const ALONE = '`crypto.verify` in as many threads, for 256 of its entries over and over'

/** Verifies a log of accepted handoffs on all cores: only its tree, and with every envelope, signature and key. */
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
      { what: `${what}: its signatures alone`, unit: 'ms', ours: bare, note: ALONE },
    ]
  } finally {
    repository.remove()
  }
}

function verifying({ clone }: Stage, cwd: string, flags: readonly string[]): Contender {
  const args = ['log', 'verify', ...flags, '--format', 'json']
  return wholeProcess('waybill', { program: clone.program, args, cwd })
}

/** The minimal cost: as many signatures in as many threads. */
function signaturesAlone(cwd: string): Contender {
  const args = [join(import.meta.dirname, '../signatures.mjs'), '.waybill/ledger', String(ENTRIES)]
  return wholeProcess('crypto.verify', { program: process.execPath, args, cwd })
}

/** An inclusion proof from the tiles of a log of a million entries, read from the disk each time. */
export async function proofs(stage: Stage): Promise<(Figure | Skip)[]> {
  const folder = stage.folder('million')
  writeTiles(folder, LEAVES)
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
      if (!isIncluded(digestBytes, claim)) throw new Error('the proof is invalid')
    }
    return median(times)
  }
  const [ours] = await race(stage.quick ? 1 : 9, [{ name: 'waybill', run }])
  const what = 'inclusion proof at 1,000,000 entries, p50'
  const times: Figure[] = ours
    ? [{ what, unit: 'ms', ours, target: { kind: 'at-most', limit: 5 } }]
    : []
  return [...times, ...(await memoryOfProofs(stage, folder))]
}

/** The peak memory of a process that only creates proofs, by the size of the log. */
async function memoryOfProofs(stage: Stage, million: string): Promise<(Figure | Skip)[]> {
  const what = `peak memory of 2,000 inclusion proofs at 1,000,000 entries`
  if (!existsSync(MEMORY_METER)) return [{ what, skipped: `there is no ${MEMORY_METER}` }]
  const few = stage.folder('ten-thousand')
  writeTiles(few, FEW)
  const held = (name: string, folder: string, size: number, count: number): Contender => {
    const args = [join(import.meta.dirname, '../proofs.ts'), folder, String(size), String(count)]
    const command = { program: process.execPath, args, cwd: folder }
    return { name, run: () => peakMemory(command) / 1_000_000 }
  }
  const [ours, theirs, bare] = await race(stage.quick ? 1 : 7, [
    held('waybill', million, LEAVES, PROOFS_FOR_MEMORY),
    held('the same at 10,000', few, FEW, PROOFS_FOR_MEMORY),
    held('no proof at 1,000,000', million, LEAVES, 0),
  ])
  if (!ours || !theirs || !bare) return []
  const note = `the same process with no proof to make holds ${median(bare.times).toFixed(1)} MB`
  return [{ what, unit: 'MB', ours, theirs, note, target: { kind: 'times-at-most', limit: 1.1 } }]
}
