/** The nodes of a graph, by number, in layers. */
export interface Layers {
  /** Each node once, near its predecessors. */
  readonly layers: readonly (readonly number[])[]
}

interface Edge {
  readonly from: number
  readonly to: number
}

/**
 * Sorts a graph into layers: each node comes after its predecessors, except in cycles.
 *
 * Linear in nodes and edges apart from sorting each layer; not recursive, since lineages are long.
 */
export function layersOf(nodes: number, edges: readonly Edge[]): Layers {
  const followers: number[][] = Array.from({ length: nodes }, () => [])
  const leaders: number[][] = Array.from({ length: nodes }, () => [])
  for (const { from, to } of edges) {
    followers[from]?.push(to)
    leaders[to]?.push(from)
  }
  const depths = depthsOf(followers, leaders)
  const layers: number[][] = []
  for (const [node, depth] of depths.entries()) {
    const layer = layers[depth] ?? []
    layers[depth] = layer
    layer.push(node)
  }
  // Breaking a cycle may leave a layer empty.
  const filled = layers.filter(layer => layer !== undefined)
  return { layers: arranged(filled, depths, leaders) }
}

function depthsOf(
  followers: readonly (readonly number[])[],
  leaders: readonly (readonly number[])[],
): number[] {
  const open = leaders.map(list => list.length)
  const depths = open.map(() => 0)
  const queue: number[] = []
  const take = (node: number) => {
    open[node] = -1
    queue.push(node)
  }
  const reach = (follower: number, depth: number) => {
    const left = open[follower] ?? -1
    if (left < 0) return
    depths[follower] = Math.max(depths[follower] ?? 0, depth)
    open[follower] = left - 1
    if (left === 1) take(follower)
  }
  for (const [node, count] of open.entries()) if (count === 0) take(node)
  for (let at = 0, first = 0; queue.length < open.length || at < queue.length; ) {
    const node = queue[at++]
    if (node !== undefined) {
      for (const follower of followers[node] ?? []) reach(follower, (depths[node] ?? 0) + 1)
      continue
    }
    // The remaining nodes are in or after a cycle: break it at its first node.
    at--
    while ((open[first] ?? 0) < 0) first++
    take(first)
  }
  return depths
}

/** Orders each layer by the mean position of its nodes' predecessors. */
function arranged(
  layers: readonly (readonly number[])[],
  depths: readonly number[],
  leaders: readonly (readonly number[])[],
): number[][] {
  const places = depths.map(() => 0)
  return layers.map(layer => {
    const middle = new Map(
      layer.map((node, i) => {
        const before = (leaders[node] ?? []).filter(l => (depths[l] ?? 0) < (depths[node] ?? 0))
        const sum = before.reduce((total, leader) => total + (places[leader] ?? 0), 0)
        return [node, before.length > 0 ? sum / before.length : i / layer.length]
      }),
    )
    const order = layer.toSorted((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0))
    for (const [i, node] of order.entries()) places[node] = (i + 0.5) / order.length
    return order
  })
}
