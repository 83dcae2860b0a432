/** For each node, the nodes that it points to. */
type Edges = readonly (readonly number[])[]

/**
 * Finds one cycle in every strongly connected component: the shortest through its first node.
 *
 * A cycle lists nodes that each point to the next, and the last to the first. Linear in the edges, without recursion.
 */
export function findCycles(edges: Edges): number[][] {
  const groups = groupsOf(edges)
  const done = new Set<number>()
  const cycles: number[][] = []
  for (const node of edges.keys()) {
    const group = groups[node] ?? 0
    if (done.has(group)) continue
    done.add(group)
    const cycle = shortestCycle(node, edges, to => groups[to] === group)
    if (cycle) cycles.push(cycle)
  }
  return cycles
}

/** The strongly connected component of each node (Kosaraju's algorithm). */
function groupsOf(edges: Edges): Int32Array {
  const backwards = reverse(edges)
  const groups = new Int32Array(edges.length).fill(-1)
  for (const root of finishingOrder(edges).reverse()) {
    if (groups[root] !== -1) continue
    groups[root] = root
    const reached = [root]
    // The list grows during iteration.
    for (const node of reached) {
      for (const before of backwards[node] ?? []) {
        if (groups[before] !== -1) continue
        groups[before] = root
        reached.push(before)
      }
    }
  }
  return groups
}

function reverse(edges: Edges): number[][] {
  const reversed: number[][] = edges.map(() => [])
  for (const [from, targets] of edges.entries()) {
    for (const to of targets) reversed[to]?.push(from)
  }
  return reversed
}

/** The nodes in depth-first postorder. */
function finishingOrder(edges: Edges): number[] {
  const order: number[] = []
  const seen = new Uint8Array(edges.length)
  const nextEdge = new Int32Array(edges.length)
  for (const root of edges.keys()) {
    if (seen[root]) continue
    seen[root] = 1
    const trail = [root]
    for (let node = trail.at(-1); node !== undefined; node = trail.at(-1)) {
      const edge = nextEdge[node] ?? 0
      nextEdge[node] = edge + 1
      const to = edges[node]?.[edge]
      if (to === undefined) {
        order.push(node)
        trail.pop()
      } else if (!seen[to]) {
        seen[to] = 1
        trail.push(to)
      }
    }
  }
  return order
}

function shortestCycle(
  start: number,
  edges: Edges,
  inGroup: (node: number) => boolean,
): number[] | undefined {
  const cameFrom = new Map<number, number>()
  const reached = [start]
  // The list grows during iteration.
  for (const node of reached) {
    for (const to of edges[node] ?? []) {
      if (to === start) return trailTo(node, start, cameFrom)
      if (!inGroup(to) || cameFrom.has(to)) continue
      cameFrom.set(to, node)
      reached.push(to)
    }
  }
  return undefined
}

function trailTo(last: number, start: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const trail = [last]
  for (let node = last; node !== start; ) {
    node = cameFrom.get(node) ?? start
    trail.push(node)
  }
  return trail.reverse()
}
