import { formatInstant } from '../../document/index.ts'
import {
  listArtifacts,
  listOutputs,
  listProgress,
  listProposals,
  type Run,
  readArtifact,
  type StoredProposal,
  type TaskProgress,
  type Tx,
} from '../../store/index.ts'
import { theRun } from './open.ts'
import type {
  ListedMissionParts,
  ListedProposalParts,
  ListedTaskParts,
  MissionStatusParts,
  ReasonParts,
} from './output.ts'

/** Reads the status of a mission and its tasks. */
export async function statusOf(
  tx: Tx,
  tenant: string,
  mission: string,
): Promise<MissionStatusParts> {
  const run = await theRun(tx, mission)
  const [tasks, whole, outputs, proposals, reviews] = await Promise.all([
    listProgress(tx, mission),
    missionOf(tx, tenant, run),
    listOutputs(tx, mission),
    listProposals(tx, { mission: run.mission }),
    listArtifacts(tx, 'review_packet', run.mission),
  ])
  const review = reviews.at(-1)?.payload?.review_status
  return {
    ...whole,
    review: typeof review === 'string' ? review : null,
    proposals: proposals.map(proposalOf).reverse(),
    tasks: tasks.map(taskOf),
    artifacts: tasks.flatMap(({ task }) =>
      (outputs.get(task) ?? []).map(({ name, id, digest }) => ({
        task,
        schemaName: name,
        id,
        digest,
      })),
    ),
  }
}

/** Reads the status of a mission as a whole. */
export async function missionOf(tx: Tx, tenant: string, run: Run): Promise<ListedMissionParts> {
  const { mission, state, template, tokensUsed, tokenBudget, openTasks, activeTasks, reason } = run
  const envelope = await readArtifact(tx, 'mission_envelope', mission, mission)
  const goal = envelope?.payload?.normalized_goal
  return {
    mission,
    tenant,
    state,
    goal: typeof goal === 'string' ? goal : null,
    template,
    startedAt: instant(run.startedAt),
    endedAt: instantOrNull(run.endedAt),
    deadline: instantOrNull(run.deadline),
    tokensUsed,
    tokenBudget,
    openTasks,
    activeTasks,
    reason: reasonOf(reason),
  }
}

function taskOf(task: TaskProgress): ListedTaskParts {
  const { startedAt, endedAt, state, dependsOn } = task
  const until = endedAt ?? (state === 'running' ? Date.now() : null)
  return {
    task: task.task,
    role: task.role,
    agent: task.agent,
    state,
    dependsOn: dependsOn.length > 1 ? dependsOn.toSorted() : dependsOn,
    attempt: task.attempt,
    failures: task.failures,
    waitingFor: task.waitingFor,
    answeredBy: task.answeredBy,
    handoff: task.handoff,
    tokensUsed: task.tokensUsed,
    startedAt: startedAt === null ? null : formatInstant(startedAt),
    ms: startedAt === null || until === null ? null : Math.max(0, until - startedAt),
    reason: reasonOf(task.reason),
  }
}

function proposalOf(found: StoredProposal): ListedProposalParts {
  const { proposal, digest, payload, decision, delivery } = found
  return {
    proposal,
    digest,
    action: payload && String(payload.action_type),
    target: payload && `${payload.target_entity_type} ${payload.target_entity_id}`,
    state: proposalState(found),
    by: decision?.by ?? null,
    why: decision?.why ?? null,
    decidedAt: instantOrNull(decision?.decidedAt ?? null),
    expiresAt: instantOrNull(decision?.expiresAt ?? null),
    delivery: delivery?.outcome?.message ?? null,
  }
}

function proposalState({
  payload,
  decision,
  delivery,
}: StoredProposal): ListedProposalParts['state'] {
  if (!decision) return payload ? 'pending' : 'erased'
  if (decision.decision === 'rejected') return 'rejected'
  if (delivery && delivery.state !== 'pending') return delivery.state
  return decision.isExpired ? 'expired' : 'approved'
}

type Found = NonNullable<ReasonParts['diagnostics']>[number]

function reasonOf(reason: Run['reason']): ReasonParts | null {
  if (!reason) return null
  const { code, message, diagnostics } = reason
  return { code, message, ...(diagnostics && { diagnostics: diagnostics.map(foundOf) }) }
}

/** Copies the fields of stored diagnostics that can be relied on; an older version may have written them. */
function foundOf(kept: unknown): Found {
  const { code, path, message, hint } = (kept ?? {}) as Readonly<Record<string, unknown>>
  return {
    ...{ code: String(code), path: String(path ?? ''), message: String(message) },
    ...(typeof hint === 'string' && { hint }),
  }
}

function instant(date: Date): string {
  return formatInstant(date.getTime())
}

function instantOrNull(date: Date | null): string | null {
  return date && instant(date)
}
