import { loadKysely } from './packages.ts'
import { jsonText, type Reason, type TaskState } from './runs.ts'
import { ask, Part, part, type Tx } from './tx.ts'

/** Who does a task, with which prompts, and how often it is tried. */
export interface TaskPlan {
  readonly task: string
  /** Canonical id. */
  readonly agent: string
  /** `<template>@<version>`. */
  readonly prompt: string | null
  readonly retries: Retries
}

/** How often something is tried again, and after how many milliseconds: at first, and at most. */
export interface Retries {
  readonly limit: number
  readonly first: number
  readonly longest: number
}

/** The person who answered a task that waited for one. */
export interface AnsweredBy {
  readonly by: string
  readonly standing: 'proved' | 'claimed'
  /** The entry of the log that says so. */
  readonly entry: string
}

/** How far a task is. */
export interface TaskRun {
  readonly task: string
  readonly position: number
  readonly role: string
  readonly agent: string
  readonly prompt: string | null
  readonly state: TaskState
  /** The fence: whoever comes with an older one is refused. */
  readonly attempt: number
  readonly failures: number
  readonly losses: number
  readonly retries: Retries
  readonly worker: string | null
  readonly waitingFor: string | null
  /** Whose answer it went on with; null where no person has given it one that counts. */
  readonly answeredBy: AnsweredBy | null
  readonly handoff: string | null
  readonly tokensUsed: number
  readonly reason: Reason | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
}

/** A task that is queued, and the attempt that it is queued as. */
export interface Queued {
  readonly task: string
  readonly attempt: number
}

/** Lets graphs that are stored together name tasks of each other, whichever comes first; checked before the commit. */
export async function letGraphsNameEachOther(tx: Tx): Promise<void> {
  await ask(
    tx,
  )`set constraints waybill.colony_task_dependencies_tenant_id_mission_id_depends_on_fkey deferred`
}

/** Adds the tasks of a graph that is stored; each waits for those that it depends on. */
export async function insertTasks(
  tx: Tx,
  mission: string,
  plans: readonly TaskPlan[],
): Promise<void> {
  const { sql } = await loadKysely()
  // Graphs of one answer have tasks at the same places.
  const rows = plans.map(({ task, ...rest }, position) => ({ task_id: task, position, ...rest }))
  const own = sql`tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}`
  // What tasks wait for is counted beside them and not joined with them: without statistics of the new rows each task
  // would read all of it.
  await sql`
    with base as materialized (
      select count(*)::integer as n from waybill.task_runs where ${own}
    ), tasks as materialized (
      select task_id, max(position) as position, count(depends_on) as open_dependencies from (
        select task_id, position, null as depends_on from waybill.colony_tasks where ${own}
        union all
        select task_id, null, depends_on from waybill.colony_task_dependencies where ${own}
          and depends_on not in (select task_id from waybill.task_runs where ${own} and state = 'done')
      ) as rows group by task_id
    ), planned as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as p (task_id text, position integer, agent text, prompt text, retries jsonb)
    )
    insert into waybill.task_runs
      (tenant_id, mission_id, task_id, position, agent, prompt, retries, state, open_dependencies)
    select current_setting('waybill.tenant'), ${mission}, t.task_id, base.n + p.position, p.agent, p.prompt,
      p.retries, 'blocked', t.open_dependencies
    from tasks t join planned p using (task_id), base`.execute(tx)
}

/** Queues every blocked task that waits for nothing any more. */
export async function queueUnblocked(tx: Tx, mission: string): Promise<readonly Queued[]> {
  return enqueued(
    tx,
    mission,
    part`update waybill.task_runs
      set state = 'queued', attempt = attempt + 1, queued_at = clock_timestamp()
      where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
        and state = 'blocked' and open_dependencies = 0
      returning task_id, attempt, 0 as delay`,
  )
}

/**
 * Tells those that depend on a task that it is done, and queues the ones that waited for nothing else.
 *
 * Which those are is asked first and not joined: without statistics, as after a large graph was stored, a join may read
 * all that the mission waits for once for each of its tasks.
 */
export async function queueDependents(
  tx: Tx,
  mission: string,
  task: string,
): Promise<readonly Queued[]> {
  return enqueued(
    tx,
    mission,
    part`update waybill.task_runs r
      set open_dependencies = r.open_dependencies - 1,
        state = case when r.state = 'blocked' and r.open_dependencies = 1 then 'queued' else r.state end,
        attempt = r.attempt + case when r.state = 'blocked' and r.open_dependencies = 1 then 1 else 0 end,
        queued_at = case when r.open_dependencies = 1 then clock_timestamp() end
      where r.tenant_id = current_setting('waybill.tenant', true) and r.mission_id = ${mission}
        and r.task_id = any(array(
          select task_id from waybill.colony_task_dependencies
          where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
            and depends_on = ${task}))
      returning r.task_id, r.attempt, case when r.state <> 'queued' then null else 0 end as delay`,
  )
}

/** What makes one of several states another: a new attempt follows, at once or after some milliseconds. */
export interface Requeueing {
  readonly mission: string
  /** All of the mission when absent. */
  readonly task?: string
  /** Only the attempt that the caller knows. */
  readonly attempt?: number
  readonly from: readonly TaskState[]
  /** What it is until the attempt begins; queued when absent. */
  readonly to?: 'queued' | 'waiting'
  readonly delay?: number
  readonly change?: TaskChange
}

/** The members of a task that a transition sets, beside its state. */
export interface TaskChange {
  readonly failures?: number
  readonly losses?: number
  readonly waitingFor?: string | null
  readonly token?: unknown
  readonly answer?: unknown
  readonly answeredBy?: AnsweredBy | null
  /** The id of the handoff by which the attempt was handed over. */
  readonly handoff?: string | null
  readonly tokensUsed?: number
  readonly reason?: Reason | null
}

/** Queues tasks again, as a new attempt: from then on nothing of an older one counts. */
export async function requeueTasks(tx: Tx, how: Requeueing): Promise<readonly Queued[]> {
  const { mission, task, attempt, from, to = 'queued', delay = 0, change = {} } = how
  // Whoever goes on to wait, or is to be looked at again, has waited since he began to.
  return enqueued(
    tx,
    mission,
    part`update waybill.task_runs
      set state = ${to}, attempt = attempt + 1, worker_id = null, ended_at = null,
          queued_at = case when ${change.waitingFor === undefined} and waiting_for is not null
            then queued_at else clock_timestamp() end
        ${changes(change)}
      where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
        and state = any(${from as string[]})
        ${task === undefined ? part`` : part`and task_id = ${task}`}
        ${attempt === undefined ? part`` : part`and attempt = ${attempt}`}
      returning task_id, attempt, ${delay}::bigint as delay`,
  )
}

/** Takes from the queue what no worker has begun of the tasks in a state, so that nothing else stands behind it. */
export async function dequeueTasks(
  tx: Tx,
  mission: string,
  state: 'queued' | 'cancelled',
): Promise<void> {
  await ask(tx)`
    select waybill.dequeue_tasks(${mission}, array_agg(task_id), array_agg(attempt)) from waybill.task_runs
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
      and state = ${state} and attempt > 0`
}

/** Sets tasks down in a state in which nobody starts them; answers which. */
export async function settleTasks(
  tx: Tx,
  how: Omit<Requeueing, 'to' | 'delay'> & {
    readonly to: 'done' | 'failed' | 'cancelled' | 'waiting'
    readonly worker?: string
  },
): Promise<readonly string[]> {
  const { mission, task, attempt, from, to, worker, change = {} } = how
  const rows = await ask<{ task_id: string }>(tx)`
    update waybill.task_runs
    set state = ${to}, worker_id = null,
      ended_at = ${to === 'waiting' ? part`null` : part`clock_timestamp()`}
      ${changes(change)}
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
      and state = any(${from as string[]})
      ${task === undefined ? part`` : part`and task_id = ${task}`}
      ${attempt === undefined ? part`` : part`and attempt = ${attempt}`}
      ${worker === undefined ? part`` : part`and worker_id = ${worker}`}
    returning task_id`
  return rows.map(({ task_id }) => task_id)
}

/**
 * Gives a task to a worker, if the attempt is the newest and the mission runs; false where there is nothing to do. A worker
 * that has it may ask again: it has not heard the answer.
 */
export async function claimTask(
  tx: Tx,
  { mission, task, attempt, worker }: Queued & { mission: string; worker: string },
): Promise<boolean> {
  const rows = await ask(tx)`
    update waybill.task_runs t set state = 'running', worker_id = ${worker}, started_at = clock_timestamp()
    from waybill.mission_runs m
    where t.tenant_id = current_setting('waybill.tenant', true) and t.mission_id = ${mission}
      and t.task_id = ${task} and t.attempt = ${attempt}
      and (t.state in ('queued', 'waiting') or t.state = 'running' and t.worker_id = ${worker})
      and m.tenant_id = t.tenant_id and m.mission_id = t.mission_id and m.state = 'running'
    returning t.task_id`
  return rows.length > 0
}

function changes(change: TaskChange): Part {
  const set = Object.entries(change).map(([member, value]) => {
    const { column, isJson } = CHANGED[member as keyof TaskChange]
    return { column, value: isJson ? jsonText(value) : value }
  })
  const names = set.map(({ column }) => `, ${column} = `)
  return new Part(
    [...names, ''],
    set.map(({ value }) => value),
  )
}

const CHANGED: Readonly<
  Record<keyof TaskChange, { readonly column: string; readonly isJson?: true }>
> = {
  failures: { column: 'failures' },
  losses: { column: 'losses' },
  waitingFor: { column: 'waiting_for' },
  token: { column: 'token', isJson: true },
  answer: { column: 'answer', isJson: true },
  answeredBy: { column: 'answered_by', isJson: true },
  handoff: { column: 'handoff_id' },
  tokensUsed: { column: 'tokens_used' },
  reason: { column: 'reason', isJson: true },
}

/** Enqueues what an update has made ready, in the same statement; a paused mission keeps it until it goes on. */
async function enqueued(tx: Tx, mission: string, update: Part): Promise<readonly Queued[]> {
  const rows = await ask<{ task_id: string; attempt: number }>(tx)`
    with ready as (${update})
    select task_id, attempt, case
      when (select state from waybill.mission_runs
        where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}) = 'running'
      then waybill.enqueue_task(${mission}, task_id, attempt, delay) end as workflow
    from ready where delay is not null`
  return rows.map(({ task_id, attempt }) => ({ task: task_id, attempt }))
}
