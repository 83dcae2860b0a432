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

/** The result of replaying a mission. */
export interface Replayed {
  readonly mission: string
  readonly state: RunState
  readonly artifacts: number
  readonly tasks: number
  /** The places of erased artifacts, as JSON Pointers. */
  readonly erased: readonly string[]
  /** What cannot be checked because the evidence was erased or is unreliable; not counted as differences. */
  readonly undecided: readonly Undecided[]
  /** The root digest of the mission, as in its bundle: hex SHA-256 over its artifacts, tasks and decisions. */
  readonly root: string
  /** Whether the mission was compared with a log. */
  readonly log: boolean
  /** Empty when the mission is consistent. */
  readonly differences: readonly Difference[]
}

/** How a mission is replayed. */
export interface Replaying {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The log with its handoffs and decisions; they are not checked without it. */
  readonly log?: LogReader | undefined
  /** Cancels the replay. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Recomputes a mission from its artifacts and reports the differences.
 * @throws {WaybillError} 'not-found' when the tenant has no such mission.
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
  // A corrected clock must not put events of the mission into the future.
  const time = Math.max(now, (await log?.lastClock())?.time ?? now)
  return replaySnapshot(snapshot, { tenant, now: time, signal, ...(evidence && { evidence }) })
}

/** The most differences reported. */
const MOST_DIFFERENCES = 1000

/** What a snapshot is compared with. */
interface Held {
  readonly tenant: string
  readonly now: number
  readonly evidence?: Evidence
  readonly signal?: AbortSignal | undefined
}

/** Replays a snapshot of a mission. */
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

/** Collects differences up to a limit, then adds one that reports the limit. */
export async function notTooMany(
  found: AsyncIterable<Difference> | Iterable<Difference>,
): Promise<Difference[]> {
  const differences: Difference[] = []
  for await (const one of found) {
    if (differences.length === MOST_DIFFERENCES) {
      const message = `there are more than ${MOST_DIFFERENCES} differences; the rest is not shown`
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
