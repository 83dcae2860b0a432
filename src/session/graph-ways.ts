import { type Layers, layersOf } from './graph-layers.ts'

interface Edge {
  readonly from: number
  readonly to: number
}

/** How edges go from node to node without being hidden by those between. */
export interface Ways {
  /** For each edge its nodes, with the empty places between them by which it passes a layer. */
  readonly ways: readonly (readonly number[])[]
  /** The layers of nodes and of empty places, which have the numbers after those of nodes. */
  readonly layers: Layers
}

/** Where edges pass more layers than this, they go straight: a picture of that many places shows nothing. */
const MOST_PLACES = 5000

/** Gives every edge over several layers an empty place in each of them. */
export function waysOf(nodes: number, edges: readonly Edge[]): Ways {
  const straight = layersOf(nodes, edges)
  const depths: number[] = []
  for (const [depth, layer] of straight.layers.entries())
    for (const node of layer) depths[node] = depth
  const passed = edges.map(({ from, to }) =>
    Math.max(0, (depths[to] ?? 0) - (depths[from] ?? 0) - 1),
  )
  const places = passed.reduce((sum, count) => sum + count, 0)
  if (places === 0 || places > MOST_PLACES)
    return { ways: edges.map(({ from, to }) => [from, to]), layers: straight }
  let next = nodes
  const ways = edges.map(({ from, to }, i) => {
    const between = Array.from({ length: passed[i] ?? 0 }, () => next++)
    return [from, ...between, to]
  })
  const steps = ways.flatMap(way => way.slice(1).map((to, i) => ({ from: way[i] ?? 0, to })))
  return { ways, layers: layersOf(next, steps) }
}
