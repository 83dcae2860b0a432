/** SHA-256 of bytes, which it does not retain; a parameter, so that the core runs on any platform. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

/** A hash of the tree: 32 bytes. */
export type Hash = Uint8Array

/** The length of a hash in bytes. */
export const HASH_SIZE = 32

const LEAF = 0
const NODE = 1

// Reuse one buffer for the hash input: allocating takes longer than hashing.
const node = new Uint8Array(1 + 2 * HASH_SIZE)
node[0] = NODE
const shortLeaf = new Uint8Array(4096)
shortLeaf[0] = LEAF

/** The leaf hash of an entry (RFC 6962, section 2.1). */
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

/** The root of an empty log: the hash of no bytes. */
export function emptyRoot(sha256: Sha256): Hash {
  return sha256(new Uint8Array(0))
}

/**
 * The root of a complete subtree over concatenated leaves, such as a full tile. Their number must be a power of two.
 */
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

/** Whether bytes are equal. Log data is public, so this need not run in constant time. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}
