import { counted } from '../../contract/index.ts'
import {
  type Drawing,
  drawMermaid,
  drawSvg,
  layersOf,
  type NodeStatus,
} from '../../session/index.ts'
import {
  type RunState,
  readObjectives,
  readTaskGraph,
  type Store,
  type TaskEdge,
  type TaskGraph,
  type TaskNode,
  type TaskState,
} from '../../store/index.ts'
import { noMission, type Which } from '../run/control.ts'

/** The tasks and dependencies of a mission, in the order of its graphs. */
export interface MissionGraph {
  readonly mission: string
  readonly state: RunState
  readonly tasks: readonly TaskNode[]
  /** Dependencies, as indexes into `tasks`. */
  readonly edges: readonly TaskEdge[]
}

/** A graph with its drawing. */
export interface DrawnGraph extends MissionGraph {
  readonly drawing: string
  /** The largest number of tasks in one box; 1 when every task has its own box. */
  readonly folded: number
}

/** Larger graphs are drawn with one box per layer. */
const MOST_DRAWN = 400

/**
 * Returns the task graph of a mission with the states of its tasks.
 * @throws {WaybillError} 'not-found' when there is no such mission.
 */
export async function missionGraph(
  store: Store,
  { tenant, mission }: Which,
): Promise<MissionGraph> {
  const rows = await store.tenant(tenant, tx => readTaskGraph(tx, mission))
  if (!rows) throw noMission(mission)
  return graphOf(mission, rows)
}

/**
 * Draws the task graph of a mission in Mermaid or SVG.
 * @throws {WaybillError} 'not-found' when there is no such mission.
 */
export async function drawMission(
  store: Store,
  { tenant, mission }: Which,
  as: 'mermaid' | 'svg',
): Promise<DrawnGraph> {
  const [rows, objectives] = await store.tenant(tenant, async tx => {
    const found = await readTaskGraph(tx, mission)
    const isDrawn = found && found.tasks.length <= MOST_DRAWN
    return [found, isDrawn ? await readObjectives(tx, mission) : new Map<string, string>()] as const
  })
  if (!rows) throw noMission(mission)
  const graph = graphOf(mission, rows)
  const { drawing, folded } = drawingOf(graph, objectives)
  const title = `Mission ${mission}: ${graph.state}`
  return {
    ...graph,
    folded,
    drawing: as === 'mermaid' ? drawMermaid(drawing) : drawSvg(drawing, title),
  }
}

function graphOf(mission: string, { state, tasks, edges }: TaskGraph): MissionGraph {
  const ordered = edges.toSorted((a, b) => a.task - b.task || a.dependsOn - b.dependsOn)
  return { mission, state, tasks, edges: ordered }
}

/** Lays out the graph: one box per task, or per layer if there are too many tasks. */
export function drawingOf(
  graph: MissionGraph,
  objectives: ReadonlyMap<string, string>,
): { readonly drawing: Drawing; readonly folded: number } {
  if (graph.tasks.length > MOST_DRAWN) return foldedDrawing(graph)
  const nodes = graph.tasks.map((task, i) => ({
    id: String(i),
    label: labelOf(task, objectives.get(task.task)),
    status: STATUS[task.state],
  }))
  const edges = graph.edges.map(({ task, dependsOn }) => ({
    from: String(dependsOn),
    to: String(task),
  }))
  return { drawing: { nodes, edges, direction: 'down' }, folded: 1 }
}

const STATUS: Readonly<Record<TaskState, NodeStatus>> = {
  blocked: 'waiting',
  queued: 'ready',
  running: 'active',
  // Waits for a person or another system.
  waiting: 'blocked',
  done: 'done',
  failed: 'failed',
  cancelled: 'missing',
}

const LONGEST_OBJECTIVE = 120

function labelOf({ task, role, state, attempt }: TaskNode, objective = ''): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : ''
  // Text written by an agent must not add lines.
  const lines = [task, `${role} · ${state}${again}`, cut(objective)].map(onOneLine)
  return lines.filter(line => line !== '').join('\n')
}

function onOneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ')
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length > LONGEST_OBJECTIVE
    ? `${characters.slice(0, LONGEST_OBJECTIVE - 1).join('')}…`
    : text
}

/** States from worst to best: the worst colours the box. */
const WORST: readonly TaskState[] = [
  'failed',
  'cancelled',
  'waiting',
  'running',
  'queued',
  'blocked',
  'done',
]

function foldedDrawing({ tasks, edges }: MissionGraph) {
  const { layers } = layersOf(
    tasks.length,
    edges.map(({ task, dependsOn }) => ({ from: dependsOn, to: task })),
  )
  // Very long chains: neighbouring layers share a box.
  const inBox = Math.ceil(layers.length / MOST_DRAWN)
  const boxOf: number[] = []
  const boxes: { readonly counts: Map<TaskState, number>; last: number }[] = []
  for (const [l, layer] of layers.entries()) {
    const number = Math.floor(l / inBox)
    const box = boxes[number] ?? { counts: new Map<TaskState, number>(), last: l }
    boxes[number] = box
    box.last = l
    for (const place of layer) {
      boxOf[place] = number
      const state = tasks[place]?.state ?? 'blocked'
      box.counts.set(state, (box.counts.get(state) ?? 0) + 1)
    }
  }
  const nodes = boxes.map(({ counts, last }, i) => {
    const [worst = 'done'] = WORST.filter(state => counts.has(state))
    const first = i * inBox + 1
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const name = last + 1 > first ? `layers ${first} to ${last + 1}` : `layer ${first}`
    const states = WORST.flatMap(state => {
      const count = counts.get(state)
      return count === undefined ? [] : [`${count} ${state}`]
    })
    return {
      id: String(i),
      label: [`${name}: ${counted(total, 'task')}`, ...states].join('\n'),
      status: STATUS[worst],
      total,
    }
  })
  return {
    drawing: {
      nodes,
      edges: edgesBetween(edges, boxOf),
      direction: 'down' as const,
    },
    folded: nodes.reduce((most, { total }) => Math.max(most, total), 1),
  }
}

function edgesBetween(edges: readonly TaskEdge[], boxOf: readonly number[]): Drawing['edges'] {
  const counts = new Map<string, { from: string; to: string; count: number }>()
  for (const { task, dependsOn } of edges) {
    const [from, to] = [String(boxOf[dependsOn]), String(boxOf[task])]
    if (from === to) continue
    const known = counts.get(`${from} ${to}`)
    if (known) known.count++
    else counts.set(`${from} ${to}`, { from, to, count: 1 })
  }
  return [...counts.values()].map(({ from, to, count }) => ({
    from,
    to,
    label: counted(count, 'dependency', 'dependencies'),
  }))
}
