import { emptyRoot, type Hash, nodeHash, type Sha256 } from './hash.ts'

/** All that has to be known of a log to append to it: the roots of its full subtrees, the largest first. There are as many as the size has binary ones. */
export interface Frontier {
  readonly size: number
  readonly hashes: readonly Hash[]
}

/** The frontier of a log without entries. */
export const EMPTY_FRONTIER: Frontier = { size: 0, hashes: [] }

/** The frontier after one more leaf. */
export function appendLeaf(sha256: Sha256, { size, hashes }: Frontier, leaf: Hash): Frontier {
  const grown = hashes.slice()
  let root = leaf
  // Every trailing one of the size is a full subtree that the new one completes to a larger one.
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
    const left = grown.pop()
    if (left) root = nodeHash(sha256, left, root)
  }
  grown.push(root)
  return { size: size + 1, hashes: grown }
}

/** The root of the log that has this frontier. */
export function rootOf(sha256: Sha256, { hashes }: Frontier): Hash {
  return hashes.length === 0 ? emptyRoot(sha256) : joined(sha256, hashes)
}

/** The root over full subtrees that stand side by side, the largest first. */
export function joined(sha256: Sha256, subtrees: readonly Hash[]): Hash {
  return subtrees.reduceRight((right, left) => nodeHash(sha256, left, right))
}
