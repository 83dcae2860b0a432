import type { LogReader } from '../../ledger/index.ts'
import { type MissionSnapshot, type RunState, readSnapshot, type Store } from '../../store/index.ts'
import { noMission, type Which } from '../run/control.ts'
import { inArtifacts, inContracts, placeOf } from './artifacts.ts'
import { rootOf } from './bundle-lines.ts'
import type { Difference } from './codes.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { inOutputs } from './outputs.ts'
import { pausesFor } from './pause.ts'
import { inLog } from './recorded.ts'
import { inDecisions, inRun, inToolCalls } from './run.ts'
import { inTasks, type Tasks, tasksOf, type Undecided, undecidedIn } from './tasks.ts'

/** What came of replaying a mission. */
export interface Replayed {
  readonly mission: string
  readonly state: RunState
  readonly artifacts: number
  readonly tasks: number
  /** Where erased artifacts stood, as JSON Pointers. */
  readonly erased: readonly string[]
  /** What nobody can tell, because what would tell it was erased or is not to be relied on; no difference. */
  readonly undecided: readonly Undecided[]
  /** Names the mission as it is: hex SHA-256 over its artifacts, its tasks and what was decided, as its bundle has it. */
  readonly root: string
  /** Whether a log was held against it. */
  readonly log: boolean
  /** Empty when all is well. */
  readonly differences: readonly Difference[]
}

/** By what a mission is replayed. */
export interface Replaying {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The log that its handoffs and decisions must stand in; they are not asked for without one. */
  readonly log?: LogReader | undefined
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Rebuilds a mission from its artifacts, and tells what of it is not as they lead to.
 *
 * @throws WaybillError `not-found` where the tenant has no such mission.
 */
export async function replayMission(
  store: Store,
  { tenant, mission }: Which,
  { now, log, signal }: Replaying,
): Promise<Replayed> {
  const before = await log?.size()
  const snapshot = await store.tenant(tenant, tx => readSnapshot(tx, mission))
  if (!snapshot) throw noMission(mission)
  const evidence = log && evidenceOf(log, before)
  // A clock that was ahead and is right again makes nothing of the mission lie in the future.
  const time = Math.max(now, (await log?.lastClock())?.time ?? now)
  return replaySnapshot(snapshot, { tenant, now: time, signal, ...(evidence && { evidence }) })
}

/** More differences than these are not looked for. */
const MOST_DIFFERENCES = 1000

/** What a mission that was read is held against. */
interface Held {
  readonly tenant: string
  readonly now: number
  readonly evidence?: Evidence
  readonly signal?: AbortSignal | undefined
}

/** Replays what was read of a mission, wherever it was read. */
export async function replaySnapshot(snapshot: MissionSnapshot, held: Held): Promise<Replayed> {
  const { tenant, evidence } = held
  const tasks = tasksOf(snapshot)
  const differences = await notTooMany(differencesIn(snapshot, tasks, held))
  const { mission, run, artifacts } = snapshot
  return {
    mission,
    state: run.state,
    artifacts: artifacts.length,
    tasks: snapshot.tasks.length,
    erased: artifacts.filter(({ payload }) => payload === null).map(placeOf),
    undecided: [...undecidedIn(snapshot, tasks)],
    root: rootOf(snapshot, tenant),
    log: evidence !== undefined,
    differences,
  }
}

/** What is found, up to a number that somebody may read; one more says that others are not told. */
export async function notTooMany(
  found: AsyncIterable<Difference> | Iterable<Difference>,
): Promise<Difference[]> {
  const differences: Difference[] = []
  for await (const one of found) {
    if (differences.length === MOST_DIFFERENCES) {
      const message = `there are more than ${MOST_DIFFERENCES} differences, and the others are not told`
      return [...differences, { code: 'replay/too-many', path: '', message }]
    }
    differences.push(one)
  }
  return differences
}

async function* differencesIn(
  snapshot: MissionSnapshot,
  tasks: Tasks,
  { tenant, now, evidence, signal }: Held,
): AsyncIterable<Difference> {
  yield* inArtifacts(snapshot, tenant)
  yield* inContracts(snapshot, now, pausesFor(signal))
  yield* inTasks(tasks)
  yield* inOutputs(snapshot, tasks)
  yield* inRun(snapshot)
  yield* inDecisions(snapshot)
  yield* inToolCalls(snapshot)
  if (evidence) yield* inLog(snapshot, tasks, { tenant, evidence })
}
