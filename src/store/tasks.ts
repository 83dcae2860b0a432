import { loadKysely } from './packages.ts'
import { jsonText, type Reason, type TaskState } from './runs.ts'
import { ask, Part, part, type Tx } from './tx.ts'

/** The agent, prompts and retries of a task. */
export interface TaskPlan {
  readonly task: string
  /** Canonical id. */
  readonly agent: string
  /** `<template>@<version>`. */
  readonly prompt: string | null
  readonly retries: Retries
}

/** The number of retries, and the first and longest delay in milliseconds. */
export interface Retries {
  readonly limit: number
  readonly first: number
  readonly longest: number
}

/** The person who answered a waiting task. */
export interface AnsweredBy {
  readonly by: string
  readonly standing: 'proved' | 'claimed'
  /** The log entry of the answer. */
  readonly entry: string
}

/** The state of a task. */
export interface TaskRun {
  readonly task: string
  readonly position: number
  readonly role: string
  readonly agent: string
  readonly prompt: string | null
  readonly state: TaskState
  /** Fences off older attempts. */
  readonly attempt: number
  readonly failures: number
  readonly losses: number
  readonly retries: Retries
  readonly worker: string | null
  readonly waitingFor: string | null
  /** Who gave the answer that it continued with; null when there is none. */
  readonly answeredBy: AnsweredBy | null
  readonly handoff: string | null
  readonly tokensUsed: number
  readonly reason: Reason | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
}

/** A queued attempt. */
export interface Queued {
  readonly task: string
  readonly attempt: number
}

/** Lets graphs stored in one transaction refer to each other's tasks; checked at commit. */
export async function letGraphsNameEachOther(tx: Tx): Promise<void> {
  await ask(
    tx,
  )`set constraints waybill.colony_task_dependencies_tenant_id_mission_id_depends_on_fkey deferred`
}

/** Adds the tasks of a stored graph, with their dependencies. */
export async function insertTasks(
  tx: Tx,
  mission: string,
  plans: readonly TaskPlan[],
): Promise<void> {
  const { sql } = await loadKysely()
  // Graphs of one answer have tasks at the same positions.
  const rows = plans.map(({ task, ...rest }, position) => ({ task_id: task, position, ...rest }))
  const own = sql`tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}`
  // Count dependencies separately instead of joining: without statistics of the new rows each task would scan all of
  // them.
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

/** Queues every blocked task without open dependencies. */
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
 * Updates the dependents of a finished task, and queues those without other open dependencies. Looks them up first
 * instead of joining: without statistics, as after storing a large graph, a join may scan all dependencies for each
 * task.
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

/** Selects tasks to queue as a new attempt. */
export interface Requeueing {
  readonly mission: string
  /** All tasks of the mission when absent. */
  readonly task?: string
  /** Only this attempt. */
  readonly attempt?: number
  readonly from: readonly TaskState[]
  /** The state until the attempt begins; default queued. */
  readonly to?: 'queued' | 'waiting'
  readonly delay?: number
  readonly change?: TaskChange
}

/** Changes to a task, apart from its state. */
export interface TaskChange {
  readonly failures?: number
  readonly losses?: number
  readonly waitingFor?: string | null
  readonly token?: unknown
  readonly answer?: unknown
  readonly answeredBy?: AnsweredBy | null
  /** The id of the attempt's handoff. */
  readonly handoff?: string | null
  readonly tokensUsed?: number
  readonly reason?: Reason | null
}

/** Queues tasks as a new attempt, which invalidates older ones. */
export async function requeueTasks(tx: Tx, how: Requeueing): Promise<readonly Queued[]> {
  const { mission, task, attempt, from, to = 'queued', delay = 0, change = {} } = how
  // A task that keeps waiting has waited since it began to wait.
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

/** Removes unstarted attempts of tasks in a state from the queue. */
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

/** Puts tasks into a state in which they are not started; returns their ids. */
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
 * Assigns a task to a worker if the attempt is current and the mission is running; returns false otherwise. Repeatable
 * by the same worker, which may have missed the answer.
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

/** Enqueues the tasks that an update made ready, in the same statement, unless the mission is paused. */
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
