import type { Drawing, NodeStatus } from '../../session/index.ts'
import type { MissionStoryParts } from './mission-output.ts'
import type { TraceOutput } from './output.ts'

type Parts = Pick<TraceOutput, 'id' | 'steps' | 'documents' | 'mission'>

/** One node and its predecessors. */
interface Spot {
  readonly id: string
  readonly lines: readonly (string | null)[]
  readonly status?: NodeStatus | undefined
  readonly from: readonly string[]
  readonly via?: string
}

/** The node of the traced id. */
const ABOUT = 'about'

const STATUS: ReadonlyMap<string, NodeStatus> = new Map([
  ['running', 'active'],
  ['queued', 'ready'],
  ['waiting', 'waiting'],
  ['paused', 'waiting'],
  ['blocked', 'waiting'],
  ['done', 'done'],
  ['finished', 'done'],
  ['failed', 'failed'],
  ['cancelled', 'failed'],
])

/** Builds the graph: documents, log entries, and the mission with its tasks, artifacts and decisions. */
export function drawingOf({ id, steps, documents, mission }: Parts): Drawing {
  const spots: Spot[] = [
    {
      id: ABOUT,
      lines: mission ? [`mission ${mission.state}`, mission.mission] : [id],
      status: mission ? STATUS.get(mission.state) : undefined,
      from: [],
    },
    ...documents.map(({ path, contract }) => ({
      id: `file ${path}`,
      lines: [contract ?? 'file', path],
      from: [ABOUT],
      via: 'named in',
    })),
    ...(mission ? missionSpots(mission) : []),
    ...steps.map(step => entrySpot(step, new Set(mission?.tasks.map(({ task }) => task)))),
  ]
  return {
    nodes: spots.map(({ id: name, lines, status }) => ({
      id: name,
      label: lines.filter(line => line !== null).join('\n'),
      ...(status !== undefined && { status }),
    })),
    edges: spots.flatMap(({ id: to, from, via }) =>
      from.map(one => ({ from: one, to, ...(via !== undefined && { label: via }) })),
    ),
  }
}

function entrySpot({ entry }: Parts['steps'][number], tasks: ReadonlySet<string>): Spot {
  const { index, kind, state, from, to, codes, ids } = entry
  const isOfTask = ids.task !== undefined && tasks.has(ids.task)
  return {
    id: `entry ${index}`,
    lines: [
      `${index} ${kind ?? state}`,
      from !== null && to !== null ? `${from} → ${to}` : null,
      codes.length > 0 ? codes.join(', ') : null,
    ],
    status: kind === 'handoff-rejected' ? 'failed' : 'done',
    from: [isOfTask ? `task ${ids.task}` : ABOUT],
  }
}

function missionSpots({
  tasks,
  artifacts,
  files,
  decisions,
  toolCalls,
}: MissionStoryParts): Spot[] {
  return [
    ...tasks.map(({ task, agent, state, dependsOn, reason }) => ({
      id: `task ${task}`,
      lines: [task, agent, state, reason],
      status: STATUS.get(state),
      from: dependsOn.length === 0 ? [ABOUT] : dependsOn.map(before => `task ${before}`),
    })),
    // Policy decisions are drawn as decisions.
    ...artifacts
      .filter(({ schemaName }) => schemaName !== 'policy_decision')
      .map(({ schemaName, id, digest, task }) => ({
        id: `artifact ${schemaName} ${id}`,
        lines: [schemaName, id, short(digest)],
        from: [task === null ? ABOUT : `task ${task}`],
      })),
    ...files.map(({ path, contract, digest, task, state }) => ({
      id: `written ${task} ${path}`,
      lines: [contract ?? 'file', path, short(digest), state === 'as-written' ? null : state],
      status: state === 'changed' || state === 'gone' ? ('failed' as const) : undefined,
      from: [`task ${task}`],
      via: 'written',
    })),
    ...decisions.map(({ kind, id, decision, by, digest }) => ({
      id: `decision ${kind} ${id}`,
      lines: [`${kind}: ${decision}`, by, short(digest)],
      from: [kind === 'policy' ? ABOUT : `artifact writeback_proposal ${id}`],
    })),
    ...toolCalls.map(({ ref, task, tool, decision, result }) => ({
      id: `call ${ref}`,
      lines: [`${tool}: ${decision}`, result === null ? null : short(result)],
      from: [`task ${task}`],
    })),
  ]
}

/** Shortens a digest. */
function short(digest: string): string {
  return digest.slice(0, 12)
}
