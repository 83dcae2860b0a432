import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { pathIn, smallTree } from './batch.ts'
import { appendLeaf, EMPTY_FRONTIER, rootOf } from './frontier.ts'
import { leafHash } from './hash.ts'
import { isIncluded } from './proofs.ts'

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
const sizes = [...Array.from({ length: 40 }, (_, at) => at + 1), 255, 256, 257]
const leavesOf = (size: number) =>
  Array.from({ length: size }, (_, at) => leafHash(sha256, Uint8Array.of(at, at >> 8)))

test.each(sizes)('the small tree over %i leaves has the root of a log of that size', size => {
  const leaves = leavesOf(size)
  let frontier = EMPTY_FRONTIER
  for (const leaf of leaves) frontier = appendLeaf(sha256, frontier, leaf)
  expect(smallTree(sha256, leaves).root).toEqual(rootOf(sha256, frontier))
})

test.each(sizes)('every path in a small tree over %i leaves proves its leaf and no other', size => {
  const leaves = leavesOf(size)
  const { root, levels } = smallTree(sha256, leaves)
  for (const [index, leaf] of leaves.entries()) {
    const proof = pathIn(levels, index)
    expect(isIncluded(sha256, { index, size, leaf, proof, root })).toBe(true)
    const other = leafHash(sha256, Uint8Array.of(1, 2, 3))
    expect(isIncluded(sha256, { index, size, leaf: other, proof, root })).toBe(false)
  }
})

test('there is no small tree without leaves', () => {
  expect(() => smallTree(sha256, [])).toThrow(RangeError)
})
