import {
  type Figure,
  figuresOf,
  latestCheckpoints,
  type Orchestration,
} from '../contracts/index.ts'
import { formatPointer, type Path } from '../document/index.ts'
import type { Draft } from './pipeline-draft.ts'

/**
 * Recomputes everything derived from the units: figures, the queue, the current phases and the last
 * checkpoint. A figure keeps its way of counting.
 */
export function deriveFigures(draft: Draft, before: Orchestration): void {
  for (const name of Object.keys(before.pipelines)) followPhases(draft, ['pipelines', name])
  followQueue(draft)
  const old = new Map([...figuresOf(before)].map(figure => [formatPointer(figure.path), figure]))
  for (const figure of figuresOf(draft.value as Orchestration)) {
    const value = counted(figure, old.get(formatPointer(figure.path)))
    if (value !== undefined) draft.set(figure.path, value)
  }
  followCheckpoints(draft)
}

function counted({ stated, shown, readings }: Figure, old: Figure | undefined): number | undefined {
  const reading = old?.readings.indexOf(stated) ?? -1
  if (reading >= 0 && old?.readings.length === readings.length) return readings[reading]
  return stated >= shown[0] && stated <= shown[1] ? undefined : readings[0]
}

/** The current phase is the first incomplete one; the status of a pipeline follows its phases. */
function followPhases(draft: Draft, pipeline: Path): void {
  const phases = draft.list([...pipeline, 'phases']).map((_, i) => [...pipeline, 'phases', i])
  const statuses = phases.map(path => draft.at([...path, 'status']))
  if (phases.length === 0 || statuses.includes(undefined)) return
  const open = statuses.findIndex(status => status !== 'COMPLETE')
  const current = draft.at([...(phases.at(open) ?? []), 'id'])
  const ids = phases.map(path => draft.at([...path, 'id']))
  if (ids.includes(draft.at([...pipeline, 'current_phase'])) && isId(current))
    draft.set([...pipeline, 'current_phase'], current)
  const stated = draft.at([...pipeline, 'status'])
  const begun = statuses.some(status => status !== 'PENDING' && status !== 'BLOCKED')
  if (open < 0 && KNOWN.has(stated)) draft.set([...pipeline, 'status'], 'COMPLETE')
  else if (open >= 0 && (stated === 'COMPLETE' || (stated === 'PENDING' && begun)))
    draft.set([...pipeline, 'status'], begun ? 'IN_PROGRESS' : 'PENDING')
}

const KNOWN: ReadonlySet<unknown> = new Set(['PENDING', 'IN_PROGRESS'])

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** A queue group is complete when all its agents are, if they are described. */
function followQueue(draft: Draft): void {
  const { pipelines, execution_queue: queue } = draft.value as Orchestration
  const groups = queue?.groups ?? []
  const statuses = new Map<string, (string | undefined)[]>()
  for (const { id, status } of Object.values(pipelines).flatMap(({ phases }) =>
    phases.flatMap(({ agents = [] }) => agents),
  ))
    statuses.set(id, [...(statuses.get(id) ?? []), status])
  for (const [i, { status, agents = [], tasks = [] }] of groups.entries()) {
    const all = agents.map(id => statuses.get(id))
    const isKnown = agents.length > 0 && tasks.length === 0 && all.every(one => one?.length === 1)
    if (status === undefined || !isKnown) continue
    const isDone = all.every(one => one?.[0] === 'COMPLETE')
    if (isDone !== (status === 'COMPLETE'))
      draft.set(['execution_queue', 'groups', i, 'status'], isDone ? 'COMPLETE' : 'IN_PROGRESS')
  }
  const after = draft
    .list(['execution_queue', 'groups'])
    .map((_, i) => draft.at(['execution_queue', 'groups', i, 'status']))
  const open = after.findIndex(status => status !== 'COMPLETE')
  const current = groups[open]?.id
  if (
    after.includes(undefined) ||
    !groups.some(({ id }) => id === queue?.current_group) ||
    !isId(current)
  )
    return
  draft.set(['execution_queue', 'current_group'], current)
}

function followCheckpoints(draft: Draft): void {
  const { checkpoints } = draft.value as Orchestration
  const latest = latestCheckpoints(checkpoints?.entries ?? [])
  const [last] = latest
  if (last === undefined) return
  for (const path of [
    ['checkpoints', 'latest_id'],
    ['resumption', 'last_checkpoint'],
  ]) {
    const named = draft.at(path)
    if (named !== undefined && !latest.includes(String(named))) draft.set(path, last)
  }
}
