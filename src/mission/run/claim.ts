import type { LibrarianPass, MissionEnvelope, PromptPackage } from '../../contracts/index.ts'
import {
  claimTask,
  insertNewArtifact,
  Last,
  type Output,
  type Reason,
  readInputs,
  readStart,
  readTasksAfter,
  type StartOfTask,
  type Tx,
} from '../../store/index.ts'
import { isAway } from '../patience.ts'
import { MOST_ARTIFACTS } from '../plan/artifacts.ts'
import type { Assignment, Payload, Task } from '../runner.ts'
import { dataFault } from '../tools/data.ts'
import { allOf, Batcher } from './batcher.ts'
import { passFault, spent } from './budget.ts'
import type { Attempt } from './durable.ts'
import { type Ending, NOTHING } from './endings.ts'
import type { MissionRecord, MissionRecords } from './record.ts'
import type { WorkerContext } from './worker-context.ts'

/** A claimed task with its inputs. */
export interface Claimed {
  readonly start: StartOfTask
  readonly inputs: readonly Output[]
  readonly ready: Ready
}

/** The assignment of a claimed task, or why its agent must not run. */
export type Ready =
  | { readonly assignment: Assignment; readonly record: MissionRecord }
  | { readonly ending: Ending }
  | { readonly problem: unknown }

/** A claim on a task. */
export interface Claiming {
  readonly attempt: Attempt
  readonly shop: WorkerContext
  readonly records: MissionRecords
}

/**
 * Batches claims: each claims a task and prepares its assignment in one transaction; undefined when it is not
 * available.
 */
export function openClaims(): Batcher<Claiming, Claimed | undefined> {
  return new Batcher({
    tenantOf: ({ attempt }) => attempt.tenant,
    nameOf: ({ attempt: { mission, task } }) => JSON.stringify([mission, task]),
    together: claimTogether,
    alone: claim,
  })
}

async function claimTogether(
  tenant: string,
  claims: readonly Claiming[],
): Promise<readonly (Claimed | undefined)[]> {
  const [{ shop }] = claims as [Claiming]
  for (const one of claims) one.shop.onStep?.('claim')
  return shop.store.tenant(tenant, async tx => {
    const all = await allOf(claims.map(one => takeAndPrepare(tx, one)))
    const fresh = all.flatMap(one => (one?.fresh ? [one.fresh] : []))
    const claimed = all.map(one => one?.claimed)
    return new Last(allOf(fresh.map(one => insertNewArtifact(tx, one))).then(() => claimed))
  })
}

async function claim(claiming: Claiming): Promise<Claimed | undefined> {
  const { attempt, shop } = claiming
  const within = <T>(work: (tx: Tx) => Promise<T | Last<T>>) =>
    shop.store.tenant(attempt.tenant, work)
  shop.onStep?.('claim')
  try {
    return await within(async (tx): Promise<Claimed | undefined | Last<Claimed>> => {
      const one = await takeAndPrepare(tx, claiming)
      if (!one?.fresh) return one?.claimed
      const { claimed, fresh } = one
      return new Last(insertNewArtifact(tx, fresh).then(() => claimed))
    })
  } catch (problem) {
    if (isAway(problem)) throw problem
    // If the database refuses the prepared prompt, claim the task without it and fail it.
    const taken = await within(tx => take(tx, claiming))
    return taken && { ...taken, ready: { problem } }
  }
}

async function takeAndPrepare(
  tx: Tx,
  claiming: Claiming,
): Promise<{ readonly claimed: Claimed; readonly fresh: Payload | undefined } | undefined> {
  const taken = await take(tx, claiming)
  if (!taken) return undefined
  const { ready, fresh } = await prepare(tx, taken, claiming)
  return { claimed: { ...taken, ready }, fresh }
}

type Taken = Omit<Claimed, 'ready'>

async function take(tx: Tx, { attempt, shop }: Claiming): Promise<Taken | undefined> {
  const { mission, task } = attempt
  // Pipelined: sent together, executed in order.
  const [isClaimed, start, inputs] = await Promise.all([
    claimTask(tx, { ...attempt, worker: shop.worker }),
    readStart(tx, mission, task),
    readInputs(tx, mission, task),
  ])
  return isClaimed && start ? { start, inputs } : undefined
}

interface Prepared {
  readonly ready: Ready
  /** A new prompt package, stored before it is used. */
  readonly fresh?: Payload
}

async function prepare(
  tx: Tx,
  taken: Taken,
  { attempt, shop, records }: Claiming,
): Promise<Prepared> {
  const { start } = taken
  const { record: task, envelope } = start
  if (!task || !envelope) return refused({ code: 'mission/erased', message: 'the task was erased' })
  const over = spent(start) ?? passFault(start.pass)
  if (over) return refused(over)
  const record = await records.of(tx, attempt, { revision: start.revision, envelope })
  const later = await laterFor(tx, task as unknown as Task, attempt)
  let prompt = start.prompt
  let given: Omit<Assignment, 'prompt'>
  try {
    const own = assignmentOf(taken, { attempt, shop, task: task as unknown as Task })
    const rules = (await shop.rules?.()) ?? []
    given = { ...own, ...later, ...(rules.length > 0 && { rules }) }
    const kept = dataFault({ ...given, inputs: taken.inputs }, record)
    if (kept) return refused(kept)
    if (!prompt) {
      shop.onStep?.('prompt')
      prompt = await shop.promptFor({ assignment: given, template: start.run.prompt, record })
    }
  } catch (problem) {
    return { ready: { problem } }
  }
  const assignment = { ...given, prompt: prompt as unknown as PromptPackage | null }
  const ready = { assignment, record }
  return prompt && prompt !== start.prompt ? { ready, fresh: prompt } : { ready }
}

/** Roles that write for later tasks, and so get them in their assignment. */
const FOR_OTHERS: ReadonlySet<string> = new Set(['prompt_master', 'librarian'])

async function laterFor(
  tx: Tx,
  { role_type }: Task,
  { mission, task }: Attempt,
): Promise<Pick<Assignment, 'tasks'>> {
  if (!FOR_OTHERS.has(role_type)) return {}
  const tasks = await readTasksAfter(tx, mission, task, MOST_ARTIFACTS)
  return { tasks: tasks as unknown as readonly Task[] }
}

function refused(reason: Reason): Prepared {
  return { ready: { ending: { is: 'failed', reason, mayRetry: false, usage: NOTHING } } }
}

function assignmentOf(
  { start, inputs }: Taken,
  {
    attempt,
    shop,
    task,
  }: { readonly attempt: Attempt; readonly shop: WorkerContext; readonly task: Task },
): Omit<Assignment, 'prompt'> {
  return {
    mission: start.envelope as unknown as MissionEnvelope,
    task,
    agent: start.run.agent,
    attempt: attempt.attempt,
    pass: start.pass as unknown as LibrarianPass | null,
    inputs: inputs.flatMap(({ payload }) => (payload ? [payload] : [])),
    budget: { ms: start.msLeft, tokens: start.tokensLeft },
    returns: shop.returnsOf(task.role_type),
    repair: null,
  }
}
