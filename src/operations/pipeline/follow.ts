import { join } from 'node:path'
import type { Unit } from '../../contracts/index.ts'
import { parseInstant } from '../../document/index.ts'
import type { PipelineMissionOf } from '../../mission/index.ts'
import { agentAt, agentsIn, unitsOf } from '../../session/index.ts'
import { databaseTime, listProgress, type Store, type TaskProgress } from '../../store/index.ts'
import { settled } from '../gateway/settle.ts'
import type { App } from '../operation.ts'
import type { PipelineSetOutput } from '../pipeline-set/output.ts'
import { openPatiently } from './open-patiently.ts'
import { setPatiently } from './set-patiently.ts'
import type { Status } from './set-status.ts'

/** An orchestration file of this repository and its mission. */
type PipelineFile = Omit<PipelineMissionOf, 'installation' | 'worktree'>

/** A status that could not be set, and why. */
export type Unset = Pick<PipelineSetOutput, 'address' | 'refused'>

/**
 * Updates an orchestration file from its mission in the database: ended agents and the barriers after them. Statuses that
 * a person has set since are kept.
 */
export function followMissionIn(
  which: PipelineFile,
  store: Store,
  app: App,
): Promise<readonly Unset[]> {
  return settled(follow(which, store, app), app)
}

async function follow(
  { tenant, mission, file }: PipelineFile,
  store: Store,
  app: App,
): Promise<readonly Unset[]> {
  const asked = performance.now()
  const { tasks, time } = await store.tenant(tenant, async tx => ({
    tasks: await listProgress(tx, mission),
    time: await databaseTime(tx),
  }))
  // The file uses our clock, the database its own.
  const ahead = app.now + performance.now() - asked - time
  const place = join(app.root, file)
  const unset: Unset[] = []
  const { standing, value } = await openPatiently(place, app)
  const units = new Map(unitsOf(standing).map(unit => [unit.address, unit]))
  for (const task of tasks) {
    const unit = units.get(task.task)
    const startedAt = unit && agentAt(unit, value)?.started_at
    const status = unit && statusFor(task, unit, isLater(startedAt, task, ahead))
    if (status) unset.push(...(await trySet(task.task, status, { place, app })))
  }
  return [...unset, ...(await passOver(place, app))]
}

interface Place {
  readonly place: string
  readonly app: App
}

async function trySet(target: string, status: Status, { place, app }: Place): Promise<Unset[]> {
  const { accepted, address, refused } = await setPatiently({ target, status, file: place }, app)
  return accepted ? [] : [{ address, refused }]
}

/** Returns the status to set; `undefined` when the file has it already or a person set another one. */
function statusFor(task: TaskProgress, unit: Unit, isAnew: boolean): Status | undefined {
  const isBegun = unit.stated === 'IN_PROGRESS' && !isAnew
  if (task.state === 'done') return isBegun ? 'COMPLETE' : undefined
  if (task.state === 'cancelled') return isBegun ? 'PENDING' : undefined
  // An agent that was not allowed to start has not failed.
  return task.state === 'failed' && isBegun ? 'FAILED' : undefined
}

/** Reports whether the agent was started again after the task ended; `ahead` is the clock offset in milliseconds. */
function isLater(
  startedAt: string | null | undefined,
  { endedAt }: TaskProgress,
  ahead: number,
): boolean {
  const started = parseInstant(startedAt ?? '')
  // The file stores whole seconds.
  return started !== undefined && endedAt !== null && started > endedAt + ahead + 1000
}

/** Completes every phase and barrier with nothing left to do. */
export function passDone(place: string, app: App): Promise<readonly Unset[]> {
  return settled(passOver(place, app), app)
}

/**
 * Completes phases whose agents are done and barriers that are ready; repeats, since each may make others ready.
 */
async function passOver(place: string, app: App): Promise<readonly Unset[]> {
  const refused = new Map<string, Unset>()
  for (;;) {
    const { standing } = await openPatiently(place, app)
    const units = unitsOf(standing)
    const agents = agentsIn(units)
    const ready = units.filter(
      unit => isToPass(unit, agents.get(unit) ?? []) && !refused.has(unit.address),
    )
    if (ready.length === 0) return [...refused.values()]
    for (const { address } of ready) {
      const unset = await trySet(address, 'COMPLETE', { place, app })
      for (const one of unset) refused.set(address, one)
    }
  }
}

function isToPass({ kind, state }: Unit, agents: readonly Unit[]): boolean {
  if (kind === 'barrier') return state === 'ready'
  const isOver = agents.length > 0 && agents.every(agent => agent.state === 'done')
  return isOver && (state === 'ready' || state === 'running')
}
