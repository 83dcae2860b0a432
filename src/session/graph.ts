/** The status of a node, which decides its colour. */
export type NodeStatus = 'done' | 'active' | 'ready' | 'waiting' | 'blocked' | 'failed' | 'missing'

/** A graph to draw; labels are untrusted plain text of one or more lines. */
export interface Drawing {
  readonly nodes: readonly {
    readonly id: string
    readonly label: string
    readonly status?: NodeStatus
  }[]
  /** Edges to unknown nodes are left out. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly label?: string }[]
  /** The direction of the edges; `right` by default. */
  readonly direction?: 'right' | 'down'
}

/** Fill, border and text colour of a node by its status. */
export const COLORS: Readonly<Record<NodeStatus, readonly [string, string, string]>> = {
  done: ['#dafbe1', '#1a7f37', '#0f3d1e'],
  active: ['#ddf4ff', '#0969da', '#0a3069'],
  ready: ['#fff8c5', '#9a6700', '#3b2300'],
  waiting: ['#f6f8fa', '#6e7781', '#24292f'],
  blocked: ['#fff1e5', '#bc4c00', '#471700'],
  failed: ['#ffebe9', '#cf222e', '#660018'],
  missing: ['#ffffff', '#cf222e', '#660018'],
}

/** The edges between known nodes by their numbers, without duplicates and self-loops. */
export function edgesOf({ nodes, edges }: Drawing): { from: number; to: number; label?: string }[] {
  const numbers = new Map(nodes.map(({ id }, i) => [id, i]))
  const seen = new Set<string>()
  return edges.flatMap(({ from, to, label }) => {
    const [a, b] = [numbers.get(from), numbers.get(to)]
    const key = `${a} ${b}`
    if (a === undefined || b === undefined || a === b || seen.has(key)) return []
    seen.add(key)
    return [{ from: a, to: b, ...(label === undefined ? {} : { label }) }]
  })
}
