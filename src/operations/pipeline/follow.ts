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

/** An orchestration file of this repository, and the mission that was made of it. */
type PipelineFile = Omit<PipelineMissionOf, 'installation' | 'worktree'>

/** What could not be said in the file, and why. */
export type Untold = Pick<PipelineSetOutput, 'address' | 'refused'>

/**
 * Lets an orchestration file follow what the database says of its mission: agents that are done or failed, and the
 * barriers behind them. What a person has said since stays.
 */
export function followMissionIn(
  which: PipelineFile,
  store: Store,
  app: App,
): Promise<readonly Untold[]> {
  return settled(follow(which, store, app), app)
}

async function follow(
  { tenant, mission, file }: PipelineFile,
  store: Store,
  app: App,
): Promise<readonly Untold[]> {
  const asked = performance.now()
  const { tasks, time } = await store.tenant(tenant, async tx => ({
    tasks: await listProgress(tx, mission),
    time: await databaseTime(tx),
  }))
  // The file is written by our clock, and the database tells the ends of tasks by its own.
  const ahead = app.now + performance.now() - asked - time
  const place = join(app.root, file)
  const untold: Untold[] = []
  const { standing, value } = await openPatiently(place, app)
  const units = new Map(unitsOf(standing).map(unit => [unit.address, unit]))
  for (const task of tasks) {
    const unit = units.get(task.task)
    const startedAt = unit && agentAt(unit, value)?.started_at
    const status = unit && statusFor(task, unit, isLater(startedAt, task, ahead))
    if (status) untold.push(...(await told(task.task, status, { place, app })))
  }
  return [...untold, ...(await passOver(place, app))]
}

interface Place {
  readonly place: string
  readonly app: App
}

async function told(target: string, status: Status, { place, app }: Place): Promise<Untold[]> {
  const { accepted, address, refused } = await setPatiently({ target, status, file: place }, app)
  return accepted ? [] : [{ address, refused }]
}

/** What the file has to say of an agent; nothing where it says so, or what it says is a person's word. */
function statusFor(task: TaskProgress, unit: Unit, isAnew: boolean): Status | undefined {
  const isBegun = unit.stated === 'IN_PROGRESS' && !isAnew
  if (task.state === 'done') return isBegun ? 'COMPLETE' : undefined
  if (task.state === 'cancelled') return isBegun ? 'PENDING' : undefined
  // Who was not let begin has not failed at anything.
  return task.state === 'failed' && isBegun ? 'FAILED' : undefined
}

/** Whether somebody has begun anew since the task was over, by a clock that is so many milliseconds ahead of the database's. */
function isLater(
  startedAt: string | null | undefined,
  { endedAt }: TaskProgress,
  ahead: number,
): boolean {
  const started = parseInstant(startedAt ?? '')
  // The file keeps whole seconds.
  return started !== undefined && endedAt !== null && started > endedAt + ahead + 1000
}

/** Passes what nobody is left to do in a file, whoever has done it. */
export function passDone(place: string, app: App): Promise<readonly Untold[]> {
  return settled(passOver(place, app), app)
}

/**
 * Passes every phase whose agents are done, as a person may have said of the last one, and every barrier that everything
 * before has come to; with one passed others may be ready.
 */
async function passOver(place: string, app: App): Promise<readonly Untold[]> {
  const refused = new Map<string, Untold>()
  for (;;) {
    const { standing } = await openPatiently(place, app)
    const units = unitsOf(standing)
    const agents = agentsIn(units)
    const ready = units.filter(
      unit => isToPass(unit, agents.get(unit) ?? []) && !refused.has(unit.address),
    )
    if (ready.length === 0) return [...refused.values()]
    for (const { address } of ready) {
      const untold = await told(address, 'COMPLETE', { place, app })
      for (const one of untold) refused.set(address, one)
    }
  }
}

function isToPass({ kind, state }: Unit, agents: readonly Unit[]): boolean {
  if (kind === 'barrier') return state === 'ready'
  const isOver = agents.length > 0 && agents.every(agent => agent.state === 'done')
  return isOver && (state === 'ready' || state === 'running')
}
