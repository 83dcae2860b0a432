/** SHA-256 of some bytes, which it does not keep; given as a parameter, so that the core runs wherever there is one. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

/** A hash of the tree: 32 bytes. */
export type Hash = Uint8Array

/** How many bytes a hash has. */
export const HASH_SIZE = 32

const LEAF = 0
const NODE = 1

// What is hashed is laid out in the same memory each time: new memory for it takes longer than the hash of it.
const node = new Uint8Array(1 + 2 * HASH_SIZE)
node[0] = NODE
const shortLeaf = new Uint8Array(4096)
shortLeaf[0] = LEAF

/** The hash of an entry as it stands at the bottom of the tree (RFC 6962, section 2.1). */
export function leafHash(sha256: Sha256, entry: Uint8Array): Hash {
  const length = 1 + entry.length
  const bytes = length > shortLeaf.length ? new Uint8Array(length) : shortLeaf.subarray(0, length)
  bytes.set(entry, 1)
  return sha256(bytes)
}

/** The hash of a node over its two children (RFC 6962, section 2.1). */
export function nodeHash(sha256: Sha256, left: Hash, right: Hash): Hash {
  node.set(left, 1)
  node.set(right, 1 + HASH_SIZE)
  return sha256(node)
}

/** The root of a log without entries: the hash of nothing. */
export function emptyRoot(sha256: Sha256): Hash {
  return sha256(new Uint8Array(0))
}

/** The root of a complete subtree whose leaves stand one after another; as of a full tile, for the tile above it. Their number is a power of two. */
export function subtreeHash(sha256: Sha256, hashes: Uint8Array): Hash {
  let row = hashes
  while (row.length > HASH_SIZE) {
    const above = new Uint8Array(row.length / 2)
    for (let at = 0; at < above.length; at += HASH_SIZE)
      above.set(nodeHash(sha256, hashAt(row, 2 * at), hashAt(row, 2 * at + HASH_SIZE)), at)
    row = above
  }
  return new Uint8Array(row)
}

const hashAt = (bytes: Uint8Array, at: number): Hash => bytes.subarray(at, at + HASH_SIZE)

/** Whether bytes are the same. Everything in a log is public, so the time that it takes tells nothing. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}
