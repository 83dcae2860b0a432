import { type Layers, layersOf } from './graph-layers.ts'

interface Edge {
  readonly from: number
  readonly to: number
}

/** Edges routed around the nodes between their ends. */
export interface Ways {
  /** For each edge its end nodes, and between them the gaps through which it passes a layer. */
  readonly ways: readonly (readonly number[])[]
  /** The layers of nodes and gaps; gaps are numbered after the nodes. */
  readonly layers: Layers
}

/** With more gaps than this, edges are drawn straight: the picture would be unreadable. */
const MOST_PLACES = 5000

/** Gives every edge across several layers a gap in each of them. */
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
