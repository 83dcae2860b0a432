import { missionCommand } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  insertArtifact,
  insertRun,
  insertTasks,
  notifyWorkers,
  queueUnblocked,
  readRun,
  type Store,
  type TaskPlan,
  updateRun,
} from '../../store/index.ts'
import type { Payload } from '../runner.ts'
import { refuseBeside, type Which } from './control.ts'

/** A checked mission that is ready to start. */
export interface Submission {
  readonly envelope: Payload
  readonly graph: Payload
  /** The policy decisions for its tasks. */
  readonly decisions: readonly Payload[]
  /** The agent of each task. */
  readonly plans: readonly TaskPlan[]
  readonly template: string | null
}

/** Starts a mission: stores its artifacts and queues its first tasks in one transaction. */
export async function submitMission(store: Store, submission: Submission): Promise<void> {
  const { envelope, graph, decisions, plans, template } = submission
  const { mission_id, tenant_id, time_budget_ms, token_budget } = envelope as unknown as {
    mission_id: string
    tenant_id: string
    time_budget_ms?: number
    token_budget?: number
  }
  const which = { tenant: tenant_id, mission: mission_id }
  await store.tenant(tenant_id, async tx => {
    await insertArtifact(tx, envelope)
    if (await readRun(tx, mission_id)) throw alreadySubmitted(which)
    await refuseBeside(tx, which)
    for (const decision of decisions) await insertArtifact(tx, decision)
    await insertArtifact(tx, graph)
    await insertRun(tx, {
      mission: mission_id,
      template,
      timeBudget: time_budget_ms ?? null,
      tokenBudget: token_budget ?? null,
    })
    await insertTasks(tx, mission_id, plans)
    const queued = await queueUnblocked(tx, mission_id)
    await updateRun(tx, mission_id, { openTasks: plans.length, activeTasks: queued.length })
    await notifyWorkers(tx, mission_id)
  })
}

function alreadySubmitted(which: Which): WaybillError {
  return new WaybillError('conflict', `the mission ${which.mission} was already submitted`, {
    hint: `${missionCommand('status', which)} shows its state`,
  })
}
