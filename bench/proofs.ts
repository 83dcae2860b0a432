/**
 * Creates inclusion proofs from the tiles of a log and verifies them; its memory is measured from
 * outside.
 *
 * Usage: node bench/proofs.ts <folder> <size> <proofs>
 */
import { digestBytes } from '../src/governance/index.ts'
import {
  inclusionProof,
  isIncluded,
  type ReadTile,
  readTile,
  rootFromTiles,
} from '../src/ledger/index.ts'
import { leafAt } from './workloads/tiles.ts'

const [folder = '', ...counts] = process.argv.slice(2)
const [size = 0, proofs = 0] = counts.map(Number)
const read: ReadTile = tile => readTile(folder, tile)
const root = await rootFromTiles(digestBytes, size, read)
for (let count = 0; count < proofs; count++) {
  const index = (count * 618_033) % size
  const proof = await inclusionProof(digestBytes, size, index, read)
  if (!isIncluded(digestBytes, { index, size, leaf: leafAt(index), proof, root }))
    throw new Error('the proof is invalid')
}
