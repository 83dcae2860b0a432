import { emptyRoot, type Hash, nodeHash, type Sha256 } from './hash.ts'

/** The state needed to append to a log: the roots of its full subtrees, largest first, one per binary 1 of the size. */
export interface Frontier {
  readonly size: number
  readonly hashes: readonly Hash[]
}

/** The frontier of an empty log. */
export const EMPTY_FRONTIER: Frontier = { size: 0, hashes: [] }

/** Returns the frontier after one more leaf. */
export function appendLeaf(sha256: Sha256, { size, hashes }: Frontier, leaf: Hash): Frontier {
  const grown = hashes.slice()
  let root = leaf
  // Each trailing 1 of the size is a full subtree that the new one joins into a larger one.
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
    const left = grown.pop()
    if (left) root = nodeHash(sha256, left, root)
  }
  grown.push(root)
  return { size: size + 1, hashes: grown }
}

/** The root of the log with this frontier. */
export function rootOf(sha256: Sha256, { hashes }: Frontier): Hash {
  return hashes.length === 0 ? emptyRoot(sha256) : joined(sha256, hashes)
}

/** The root over adjacent full subtrees, largest first. */
export function joined(sha256: Sha256, subtrees: readonly Hash[]): Hash {
  return subtrees.reduceRight((right, left) => nodeHash(sha256, left, right))
}
