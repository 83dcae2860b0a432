import { missionCommand, quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  insertArtifact,
  letGraphsNameEachOther,
  lockMission,
  type MissionArtifact,
  type MissionSnapshot,
  readSnapshot,
  restoreDecisions,
  restoreOutputs,
  restoreRun,
  restoreTasks,
  restoreToolCalls,
  type Store,
  type Tx,
} from '../../store/index.ts'
import type { Which } from '../run/control.ts'
import type { Payload } from '../runner.ts'
import { placeOf } from './artifacts.ts'
import { type BundleTrust, type OpenedBundle, openBundle, type VerifiedBundle } from './bundle.ts'
import { rootOf } from './bundle-lines.ts'
import type { Difference } from './codes.ts'
import { notTooMany } from './replay.ts'

/** What came of importing a bundle; nothing was stored where it was not accepted. */
export interface Imported {
  readonly accepted: boolean
  /** False where the same mission was there already. */
  readonly isNew: boolean
  readonly verified: VerifiedBundle
  /** Why it was not accepted. */
  readonly differences: readonly Difference[]
}

/**
 * Takes a mission over from another installation, as it was there, in one transaction; the same again changes nothing.
 *
 * Only what has ended is taken, or was paused while nothing of it was being done: of a mission that runs there, a second
 * installation would do everything again. A paused one goes on here when somebody resumes it. What was approved and is
 * still on its way out is left to the installation that began to deliver it. The entries of the other log are no part of
 * this one: whoever wants to show them keeps the bundle.
 *
 * @throws WaybillError `conflict` where the mission is there already and is another one, or further on.
 */
export async function importMission(
  store: Store,
  bytes: Uint8Array,
  { tenant, ...by }: BundleTrust & { readonly tenant: string },
): Promise<Imported> {
  const { verified, content, differences } = await examineImport(bytes, { tenant, ...by })
  if (!content || differences.length > 0)
    return { accepted: false, isNew: false, verified, differences }
  const isNew = await store.tenant(tenant, tx => restore(tx, content.snapshot, tenant))
  return { accepted: true, isNew, verified, differences }
}

/** A bundle that was verified for whoever would import it. */
interface Examined extends OpenedBundle {
  /** Why it would not be accepted, as far as no database has to be asked. */
  readonly differences: readonly Difference[]
}

/** Verifies a bundle, and asks whether it would be imported; offline, and nothing is stored. */
export async function examineImport(
  bytes: Uint8Array,
  { tenant, ...by }: BundleTrust & { readonly tenant: string },
): Promise<Examined> {
  const opened = await openBundle(bytes, by)
  const { verified, content } = opened
  if (!content) return { ...opened, differences: verified.differences }
  const differences = await notTooMany(whyNotHere(content.snapshot, content.tenant, tenant))
  return { ...opened, differences }
}

function* whyNotHere(
  { artifacts, run, tasks, decisions }: MissionSnapshot,
  owner: string,
  tenant: string,
): Iterable<Difference> {
  if (owner !== tenant)
    yield {
      code: 'bundle/other-tenant',
      path: '/lines/0/tenant',
      message: `the mission is that of the tenant ${quote(owner)}, and is imported for no other: give it by --tenant`,
    }
  for (const artifact of artifacts)
    if (artifact.payload === null)
      yield { code: 'bundle/erased', path: placeOf(artifact), message: 'the artifact was erased' }
  const isBeingDone = run.state === 'running' || tasks.some(({ state }) => state === 'running')
  if (isBeingDone)
    yield {
      code: 'bundle/still-running',
      path: '/run/state',
      message: `the mission was ${run.state} when it was exported, and tasks of it were being done or about to be`,
    }
  // Whoever has an unrecorded decision records it, and sends what it lets out on its way.
  if (decisions.some(({ entry }) => entry === null))
    yield {
      code: 'bundle/still-running',
      path: '/decisions',
      message: 'a decision on a write-back was not recorded yet when it was exported',
    }
  if (decisions.some(({ outcome }) => outcome?.state === 'pending'))
    yield {
      code: 'bundle/still-running',
      path: '/decisions',
      message: 'a write-back was being delivered when it was exported',
    }
}

async function restore(tx: Tx, snapshot: MissionSnapshot, tenant: string): Promise<boolean> {
  const { mission, artifacts, run, tasks, outputs, toolCalls, decisions } = snapshot
  await lockMission(tx, mission)
  const root = rootOf(snapshot, tenant)
  const there = await readSnapshot(tx, mission)
  if (there) {
    if (rootOf(there, tenant) === root) return false
    throw other({ tenant, mission })
  }
  await letGraphsNameEachOther(tx)
  for (const payload of inOrder(artifacts, tasks)) await insertArtifact(tx, payload)
  await restoreRun(tx, mission, run)
  await restoreTasks(tx, mission, tasks)
  await restoreOutputs(tx, mission, outputs)
  await restoreToolCalls(tx, mission, toolCalls)
  await restoreDecisions(tx, mission, decisions)
  const stored = await readSnapshot(tx, mission)
  // Artifacts of the mission may have been here before, without anybody having run it.
  if (!stored || rootOf(stored, tenant) !== root) throw other({ tenant, mission })
  return true
}

function other(which: Which): WaybillError {
  return new WaybillError(
    'conflict',
    `the mission ${which.mission} is here already, and not the same`,
    {
      hint: `${missionCommand('status', which)} shows how far it is; nothing was changed`,
    },
  )
}

/** The envelope, then the graphs as they were added, then what refers to their tasks. */
function inOrder(
  artifacts: readonly MissionArtifact[],
  tasks: MissionSnapshot['tasks'],
): readonly Payload[] {
  const positions = new Map(tasks.map(({ task, position }) => [task, position]))
  const turnOf = ({ name, payload }: MissionArtifact): number => {
    if (name === 'mission_envelope') return -2
    if (name !== 'mission_task_graph') return Number.POSITIVE_INFINITY
    const [first] = (payload?.tasks ?? []) as readonly { readonly task_id: string }[]
    return positions.get(first?.task_id ?? '') ?? -1
  }
  const turns = artifacts.map(artifact => ({ artifact, turn: turnOf(artifact) }))
  turns.sort((a, b) => (a.turn === b.turn ? 0 : a.turn - b.turn))
  return turns.flatMap(({ artifact: { payload } }) => (payload ? [payload] : []))
}
