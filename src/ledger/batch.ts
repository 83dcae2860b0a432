import { type Hash, nodeHash, type Sha256 } from './hash.ts'

/** A tree small enough to hold in memory (RFC 6962, section 2.1). */
export interface SmallTree {
  readonly root: Hash
  /** The nodes below the root, by level, leaves first. */
  readonly levels: readonly (readonly Hash[])[]
}

/** Builds the tree over at least one leaf hash. */
export function smallTree(sha256: Sha256, leaves: readonly Hash[]): SmallTree {
  const levels: (readonly Hash[])[] = []
  let level = leaves
  for (; level.length > 1; level = parents(sha256, level)) levels.push(level)
  const [root] = level
  if (!root) throw new RangeError('a small tree has at least one leaf')
  return { root, levels }
}

function parents(sha256: Sha256, level: readonly Hash[]): Hash[] {
  const above: Hash[] = []
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at], level[at + 1]]
    if (left) above.push(right ? nodeHash(sha256, left, right) : left)
  }
  return above
}

/** The inclusion path of a leaf, from the leaf up (RFC 6962, section 2.1.1), in the node form of the levels. */
export function pathIn<Node>(levels: readonly (readonly Node[])[], index: number): Node[] {
  const path: Node[] = []
  let at = index
  for (const level of levels) {
    const sibling = level[at ^ 1]
    // The last node of an odd level has no sibling and moves up unchanged.
    if (sibling !== undefined) path.push(sibling)
    at >>= 1
  }
  return path
}
