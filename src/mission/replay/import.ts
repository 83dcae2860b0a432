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

/** The result of an import; nothing is stored unless accepted. */
export interface Imported {
  readonly accepted: boolean
  /** False when the same mission already existed. */
  readonly isNew: boolean
  readonly verified: VerifiedBundle
  /** Why it was refused. */
  readonly differences: readonly Difference[]
}

/**
 * Imports a mission from another installation in one transaction; repeating it changes nothing. Accepts only missions
 * that ended, or were paused with nothing running, since otherwise both installations would do the work. A paused
 * mission continues when resumed here. Deliveries in progress stay with the other installation. Its log entries are not
 * imported: keep the bundle to prove them.
 * @throws {WaybillError} 'conflict' when the mission exists and differs.
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

/** A bundle verified for import. */
interface Examined extends OpenedBundle {
  /** Why it would be refused, as far as that is known without a database. */
  readonly differences: readonly Difference[]
}

/** Verifies a bundle for import, offline and without storing anything. */
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
      message: `the mission belongs to the tenant ${quote(owner)}: import it with --tenant`,
    }
  for (const artifact of artifacts)
    if (artifact.payload === null)
      yield { code: 'bundle/erased', path: placeOf(artifact), message: 'the artifact was erased' }
  const isBeingDone = run.state === 'running' || tasks.some(({ state }) => state === 'running')
  if (isBeingDone)
    yield {
      code: 'bundle/still-running',
      path: '/run/state',
      message: `the mission was ${run.state} when it was exported, with tasks running or about to run`,
    }
  // Importing an unrecorded decision would record and deliver it here too.
  if (decisions.some(({ entry }) => entry === null))
    yield {
      code: 'bundle/still-running',
      path: '/decisions',
      message: 'a decision on a write-back was not yet recorded when it was exported',
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
  // Artifacts of the mission may exist here without a run.
  if (!stored || rootOf(stored, tenant) !== root) throw other({ tenant, mission })
  return true
}

function other(which: Which): WaybillError {
  return new WaybillError(
    'conflict',
    `the mission ${which.mission} already exists here and differs`,
    {
      hint: `${missionCommand('status', which)} shows its state; nothing was changed`,
    },
  )
}

/** Orders the envelope, the graphs as they were added, then everything that refers to their tasks. */
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
