import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import { entryAt, reader, sha256, treeOf, treeOfSize } from '../../test/tree.ts'
import { appendLeaf, EMPTY_FRONTIER, rootOf } from './frontier.ts'
import { emptyRoot, type Hash, isSame, leafHash, nodeHash, subtreeHash } from './hash.ts'
import {
  type Consistency,
  consistencyProof,
  frontierFromTiles,
  type Inclusion,
  inclusionProof,
  isConsistent,
  isIncluded,
  rootFromTiles,
} from './proofs.ts'
import type { Tile } from './tile.ts'

interface InclusionCase {
  file: string
  leafIdx: number
  treeSize: number
  root: string
  leafHash: string
  proof: string[] | null
  wantErr: boolean
}

interface ConsistencyCase {
  file: string
  size1: number
  size2: number
  root1: string
  root2: string
  proof: string[] | null
  wantErr: boolean
}

const vectors = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'testdata/merkle', name), 'utf8'))
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

const inclusions: InclusionCase[] = vectors('inclusion.json')
const consistencies: ConsistencyCase[] = vectors('consistency.json')
const inclusionOf = (v: InclusionCase): Inclusion => ({
  index: v.leafIdx,
  size: v.treeSize,
  leaf: bytes(v.leafHash),
  root: bytes(v.root),
  proof: (v.proof ?? []).map(bytes),
})
const consistencyOf = (v: ConsistencyCase): Consistency => ({
  first: v.size1,
  second: v.size2,
  firstRoot: bytes(v.root1),
  secondRoot: bytes(v.root2),
  proof: (v.proof ?? []).map(bytes),
})

/** The entries over which the vectors were made: those of the first tests of Certificate Transparency. */
const REFERENCE = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map(hex => new Uint8Array(Buffer.from(hex, 'hex')))

/** RFC 6962, section 2.1, word by word. */
function naiveRoot(leaves: readonly Hash[]): Hash {
  const [first] = leaves
  if (!first) return emptyRoot(sha256)
  if (leaves.length === 1) return first
  const middle = 2 ** Math.floor(Math.log2(leaves.length - 1))
  return nodeHash(sha256, naiveRoot(leaves.slice(0, middle)), naiveRoot(leaves.slice(middle)))
}

/** Every claim that differs from this one in one bit, one hash or one number. */
function* mutations<T extends Inclusion | Consistency>(claim: T): Generator<T> {
  const { proof } = claim
  const strange = sha256(new Uint8Array([1]))
  for (const [at, hash] of proof.entries()) {
    yield { ...claim, proof: proof.with(at, flipped(hash)) }
    yield { ...claim, proof: proof.toSpliced(at, 1) }
    yield { ...claim, proof: proof.toSpliced(at, 0, strange) }
    if (at > 0 && !isSame(hash, proof[0] ?? hash))
      yield {
        ...claim,
        proof: [hash, ...proof.slice(1, at), proof[0] ?? hash, ...proof.slice(at + 1)],
      }
  }
  yield { ...claim, proof: [...proof, strange] }
  yield { ...claim, proof: [...proof, new Uint8Array(31)] }
  for (const [name, value] of Object.entries(claim))
    if (value instanceof Uint8Array) yield { ...claim, [name]: flipped(value) }
}

function flipped(hash: Hash): Hash {
  const copy = new Uint8Array(hash)
  copy[5] = (copy[5] ?? 0) ^ 16
  return copy
}

describe('vectors of transparency-dev/merkle', () => {
  test.each(inclusions)('$file', v => {
    expect(isIncluded(sha256, inclusionOf(v))).toBe(!v.wantErr)
  })

  // It takes any two equal roots for those of two empty logs, even of 12 bytes; here they must be the empty root.
  const OURS = ['sizes-are-equal-and-proof-is-empty-where-both-sizes-are-zero']

  test.each(consistencies)('$file', v => {
    const differs = OURS.some(name => v.file.includes(name))
    expect(isConsistent(sha256, consistencyOf(v))).toBe(!v.wantErr && !differs)
  })

  test.each(inclusions.filter(v => !v.wantErr))('no mutation of $file is accepted', v => {
    for (const claim of mutations(inclusionOf(v))) expect(isIncluded(sha256, claim)).toBe(false)
  })

  test.each(consistencies.filter(v => !v.wantErr && v.size1 > 0))(
    'no mutation of $file is accepted',
    v => {
      for (const claim of mutations(consistencyOf(v)))
        expect(isConsistent(sha256, claim)).toBe(false)
    },
  )

  test('the same proofs and roots come out of a log with the same entries', async () => {
    for (const v of inclusions.filter(c => !c.wantErr)) {
      const tree = treeOf(REFERENCE.slice(0, v.treeSize))
      const claim = inclusionOf(v)
      expect(Buffer.from(tree.root)).toEqual(Buffer.from(claim.root))
      const proof = await inclusionProof(sha256, v.treeSize, v.leafIdx, tree.read)
      expect(proof.map(h => Buffer.from(h))).toEqual(claim.proof.map(h => Buffer.from(h)))
    }
    for (const v of consistencies.filter(c => !c.wantErr && c.size1 > 0)) {
      const tree = treeOf(REFERENCE.slice(0, v.size2))
      const proof = await consistencyProof(sha256, v.size1, v.size2, tree.read)
      expect(proof.map(h => Buffer.from(h).toString('base64'))).toEqual(v.proof ?? [])
    }
  })
})

describe('a first log without entries', () => {
  const empty = emptyRoot(sha256)
  const root = leafHash(sha256, new Uint8Array(0))
  const claim = { first: 0, second: 1, firstRoot: empty, secondRoot: root, proof: [] }

  test.each([
    ['any log begins with it', claim, true],
    ['also the empty one', { ...claim, second: 0, secondRoot: empty }, true],
    ['its root is the hash of nothing', { ...claim, firstRoot: root }, false],
    ['no proof is needed, so none is accepted', { ...claim, proof: [root] }, false],
    ['there is one empty log only', { ...claim, second: 0 }, false],
    ['a log never shrinks', { ...claim, first: 1, second: 0 }, false],
    ['a root has 32 bytes', { ...claim, secondRoot: new Uint8Array(12) }, false],
  ])('%s', (_, stated, expected) => {
    expect(isConsistent(sha256, stated)).toBe(expected)
  })
})

test('the root of the frontier is the root of the whole log', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 70 }), entries => {
      const leaves = entries.map(entry => leafHash(sha256, entry))
      const frontier = leaves.reduce((f, leaf) => appendLeaf(sha256, f, leaf), EMPTY_FRONTIER)
      expect(frontier.size).toBe(entries.length)
      expect(rootOf(sha256, frontier)).toEqual(naiveRoot(leaves))
    }),
  )
})

test('everything is proved, and nothing else', async () => {
  const places = fc
    .integer({ min: 1, max: 1100 })
    .chain(size => fc.tuple(fc.constant(size), fc.nat(size - 1), fc.nat(size)))
  const whole = treeOfSize(1100)
  await fc.assert(
    fc.asyncProperty(places, async ([size, index, first]) => {
      const root = naiveRoot(whole.leaves.slice(0, size))
      const { read } = treeOf(Array.from({ length: size }, (_, at) => entryAt(at)))
      expect(await rootFromTiles(sha256, size, read)).toEqual(root)
      const leaf = whole.leaves[index] ?? root
      const proof = await inclusionProof(sha256, size, index, read)
      const inclusion = { index, size, leaf, proof, root }
      expect(isIncluded(sha256, inclusion)).toBe(true)
      expect(isIncluded(sha256, { ...inclusion, index: index ^ 1 })).toBe(false)
      for (const claim of mutations(inclusion)) expect(isIncluded(sha256, claim)).toBe(false)
      const firstRoot = naiveRoot(whole.leaves.slice(0, first))
      const grown = await consistencyProof(sha256, first, size, read)
      const consistency = { first, second: size, firstRoot, secondRoot: root, proof: grown }
      expect(isConsistent(sha256, consistency)).toBe(true)
      if (first > 0)
        for (const claim of mutations(consistency)) expect(isConsistent(sha256, claim)).toBe(false)
    }),
    { numRuns: 40 },
  )
})

test('a log continues from the frontier that its tiles give', async () => {
  const tree = treeOfSize(777)
  const frontier = await frontierFromTiles(sha256, 777, tree.read)
  expect(rootOf(sha256, frontier)).toEqual(tree.root)
  const next = appendLeaf(sha256, frontier, leafHash(sha256, entryAt(777)))
  expect(rootOf(sha256, next)).toEqual(treeOfSize(778).root)
  expect(await frontierFromTiles(sha256, 0, tree.read)).toEqual(EMPTY_FRONTIER)
  expect(await rootFromTiles(sha256, 0, tree.read)).toEqual(emptyRoot(sha256))
})

test.each([
  ['an index at the size', 5, 5],
  ['an index below zero', 5, -1],
  ['a broken index', 5, 1.5],
  ['a size beyond 2^53', 2 ** 53, 1],
])('no proof is built for %s', async (_, size, index) => {
  const tree = treeOfSize(5)
  await expect(inclusionProof(sha256, size, index, tree.read)).rejects.toThrow('has no entry')
  const claim = { index, size, leaf: tree.root, proof: [], root: tree.root }
  expect(isIncluded(sha256, claim)).toBe(false)
})

test('no proof is built that a log shrank', async () => {
  await expect(consistencyProof(sha256, 6, 5, treeOfSize(5).read)).rejects.toThrow(
    'never had size 6',
  )
})

test('a truncated tile is named', async () => {
  const tree = treeOfSize(300)
  const cut = reader(new Map([...tree.files].map(([path, file]) => [path, file.subarray(1)])))
  await expect(inclusionProof(sha256, 300, 299, cut)).rejects.toThrow(
    /tile\/\d\/\d{3}\S* has \d+ bytes instead of \d+/,
  )
})

describe('a log whose entries are all the same', () => {
  const leaf = leafHash(sha256, new Uint8Array([7]))
  const row = (hash: Hash, width: number) => new Uint8Array(Buffer.concat(Array(width).fill(hash)))
  const hashAt: Hash[] = [leaf]
  for (let level = 1; level < 8; level++)
    hashAt.push(subtreeHash(sha256, row(hashAt[level - 1] ?? leaf, 256)))

  /** Reads its tiles, of which each is made when it is asked for, and notes which were. */
  function reading(): { read: (tile: Tile) => Uint8Array; fetched: Tile[] } {
    const fetched: Tile[] = []
    const read = (tile: Tile) => {
      fetched.push(tile)
      return row(hashAt[Number(tile.level)] ?? leaf, tile.width)
    }
    return { read, fetched }
  }

  test.each([
    [1_000_000, 0],
    [1_000_000, 999_999],
    [1_000_000, 524_287],
    [2 ** 31 + 5, 2 ** 31 + 1],
    [2 ** 33 - 1, 2 ** 32],
    [2 ** 40 + 3, 2 ** 39 + 1],
    [2 ** 53 - 1, 2 ** 53 - 2],
    [2 ** 53 - 1, 2 ** 52 - 1],
  ])(
    'of %d of them, that at %d is proved from at most two tiles of a level',
    async (size, index) => {
      const { read, fetched } = reading()
      const proof = await inclusionProof(sha256, size, index, read)
      const levels = Math.ceil(Math.log2(size) / 8)
      expect(fetched.length).toBeLessThanOrEqual(2 * levels)
      expect(new Set(fetched.map(t => `${t.level}/${t.index}`)).size).toBe(fetched.length)
      const root = await rootFromTiles(sha256, size, read)
      expect(isIncluded(sha256, { index, size, leaf, proof, root })).toBe(true)
      expect(isIncluded(sha256, { index, size, leaf: flipped(leaf), proof, root })).toBe(false)
      const first = index + 1
      const firstRoot = await rootFromTiles(sha256, first, read)
      const grown = await consistencyProof(sha256, first, size, read)
      const claim = { first, second: size, firstRoot, secondRoot: root, proof: grown }
      expect(isConsistent(sha256, claim)).toBe(true)
      for (const changed of mutations(claim))
        expect(isConsistent(sha256, changed) && !isSame(changed.firstRoot, firstRoot)).toBe(false)
    },
  )

  test('a proof in a million entries takes less than 5 ms', async () => {
    const { read } = reading()
    const times: number[] = []
    for (let round = 0; round < 50; round++)
      times.push(await cpuTimeOf(() => inclusionProof(sha256, 1_000_000, round * 19_997, read)))
    // The fastest one: the first ones are not compiled yet.
    expect(Math.min(...times)).toBeLessThan(5)
  })
})
