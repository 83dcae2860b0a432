import { WaybillError } from '../error.ts'
import type { Frontier } from './frontier.ts'
import { emptyRoot, HASH_SIZE, type Hash, isSame, nodeHash, type Sha256 } from './hash.ts'
import { hashesFromTiles, type Leaves, type ReadTile, subtreesOf } from './tile-reader.ts'

/** The claim of an inclusion proof: `leaf` is the leaf hash at `index` in the log of `size` with `root`. */
export interface Inclusion {
  readonly index: number
  readonly size: number
  readonly leaf: Hash
  readonly proof: readonly Hash[]
  readonly root: Hash
}

/** The claim of a consistency proof: the log of size `second` only appended to the log of size `first`. */
export interface Consistency {
  readonly first: number
  readonly second: number
  readonly firstRoot: Hash
  readonly secondRoot: Hash
  readonly proof: readonly Hash[]
}

/** Builds the inclusion proof of an entry in a log of a given size, from its tiles (RFC 9162, section 2.1.3.1). */
export async function inclusionProof(
  sha256: Sha256,
  size: number,
  index: number,
  read: ReadTile,
): Promise<readonly Hash[]> {
  return await hashesFromTiles(sha256, size, siblingsOf(size, index), read)
}

/** The leaf ranges whose hashes form an inclusion proof, in proof order. */
export function siblingsOf(size: number, index: number): readonly Leaves[] {
  if (!isCount(size) || !isCount(index) || index >= size)
    throw new WaybillError('not-found', `a log of ${size} entries has no entry ${index}`)
  const siblings: Leaves[] = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start)
    siblings.push(index < middle ? { start: middle, end } : { start, end: middle })
    if (index < middle) end = middle
    else start = middle
  }
  return siblings.reverse()
}

/**
 * Builds the proof that a log of size `second` starts with the log of size `first`, from the tiles of the larger one
 * (RFC 9162, section 2.1.4.1). It is empty if the sizes are equal or the first is zero.
 */
export async function consistencyProof(
  sha256: Sha256,
  first: number,
  second: number,
  read: ReadTile,
): Promise<readonly Hash[]> {
  if (!isCount(first) || !isCount(second) || first > second)
    throw new WaybillError('not-found', `a log of ${second} entries never had size ${first}`)
  if (first === 0) return []
  const siblings: Leaves[] = []
  let [start, end] = [0, second]
  while (first !== end) {
    const middle = start + largestPowerBelow(end - start)
    siblings.push(first <= middle ? { start: middle, end } : { start, end: middle })
    if (first <= middle) end = middle
    else start = middle
  }
  // The first log is a full subtree of the second: its root is known and not part of the proof.
  if (start !== 0) siblings.push({ start, end })
  return await hashesFromTiles(sha256, second, siblings.reverse(), read)
}

/** The root of a log of a given size; reads only the tiles at its right edge. */
export async function rootFromTiles(sha256: Sha256, size: number, read: ReadTile): Promise<Hash> {
  if (size === 0) return emptyRoot(sha256)
  const [root] = await hashesFromTiles(sha256, size, [{ start: 0, end: size }], read)
  return root ?? emptyRoot(sha256)
}

/** The frontier of a log of a given size, from the tiles at its right edge. */
export async function frontierFromTiles(
  sha256: Sha256,
  size: number,
  read: ReadTile,
): Promise<Frontier> {
  const parts = subtreesOf({ start: 0, end: size }).map(({ height, index }) => ({
    start: index * 2 ** height,
    end: (index + 1) * 2 ** height,
  }))
  return { size, hashes: await hashesFromTiles(sha256, size, parts, read) }
}

/** Verifies an inclusion proof (RFC 9162, section 2.1.3.2). */
export function isIncluded(sha256: Sha256, { index, size, leaf, proof, root }: Inclusion): boolean {
  if (!isCount(index) || !isCount(size) || index >= size) return false
  if (![leaf, root, ...proof].every(isHash)) return false
  let [at, last] = [index, size - 1]
  let hash = leaf
  for (const sibling of proof) {
    if (last === 0) return false
    if (isOdd(at) || at === last) {
      hash = nodeHash(sha256, sibling, hash)
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)]
    } else hash = nodeHash(sha256, hash, sibling)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && isSame(hash, root)
}

/**
 * Verifies a consistency proof (RFC 9162, section 2.1.4.2).
 *
 * The RFC does not define an empty first log. This follows C2SP tlog-witness: the proof must be empty and the first
 * root the hash of nothing. Other implementations refuse size 0, or accept any root for it; both would make a first
 * cosignature a special case.
 */
export function isConsistent(sha256: Sha256, claim: Consistency): boolean {
  const { first, second, firstRoot, secondRoot, proof } = claim
  if (!isCount(first) || !isCount(second) || first > second) return false
  if (![firstRoot, secondRoot, ...proof].every(isHash)) return false
  if (first === 0 && !isSame(firstRoot, emptyRoot(sha256))) return false
  if (first === second) return proof.length === 0 && isSame(firstRoot, secondRoot)
  if (first === 0) return proof.length === 0
  return isPrefix(sha256, claim)
}

function isPrefix(sha256: Sha256, claim: Consistency): boolean {
  const { first, second, firstRoot, secondRoot, proof } = claim
  let [at, last] = [first - 1, second - 1]
  while (isOdd(at)) [at, last] = [half(at), half(last)]
  // A first log whose size is a power of two is a subtree of the second: the proof starts from its root.
  const [start, ...rest] = at === 0 ? [firstRoot, ...proof] : proof
  if (!start) return false
  let [one, other] = [start, start]
  for (const sibling of rest) {
    if (last === 0) return false
    if (isOdd(at) || at === last) {
      one = nodeHash(sha256, sibling, one)
      other = nodeHash(sha256, sibling, other)
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)]
    } else other = nodeHash(sha256, other, sibling)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && isSame(one, firstRoot) && isSame(other, secondRoot)
}

/** The largest power of two below a number of at least two. Bit operations end at 2^31. */
function largestPowerBelow(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0
const isHash = (bytes: Uint8Array) => bytes.length === HASH_SIZE
const isOdd = (value: number) => value % 2 === 1
const half = (value: number) => Math.floor(value / 2)
