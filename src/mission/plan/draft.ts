import { quote } from '../../contract/index.ts'
import type { MissionEnvelope, MissionTaskGraph } from '../../contracts/index.ts'
import { formatInstant, MOST_BYTES } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import type { Task } from '../runner.ts'
import { filled, missionValues } from './placeholders.ts'
import type { Template } from './template.ts'

/** What somebody asks of a mission; what is absent is as its template has it. */
export interface Wish {
  readonly goal: string
  /** The goal as it is understood; the goal itself on one line, when absent. */
  readonly normalizedGoal?: string
  readonly tenant: string
  readonly actor: string
  readonly actorRole?: string
  /** Where the request came from, such as `cli`. */
  readonly origin: string
  readonly contextRefs?: MissionEnvelope['context_refs']
  readonly riskLevel?: MissionEnvelope['risk_level']
  readonly sensitivityClass?: string
  readonly timeBudgetMs?: number
  readonly tokenBudget?: number
  readonly requestedOutputs?: readonly string[]
}

/** The envelope of a mission, not checked yet; `now` in milliseconds since the epoch, `id` a UUID. */
export function envelopeFrom(
  { missionType, defaults }: Template,
  wish: Wish,
  now: number,
  id: string,
): MissionEnvelope {
  const given = {
    risk_level: wish.riskLevel,
    sensitivity_class: wish.sensitivityClass,
    time_budget_ms: wish.timeBudgetMs,
    token_budget: wish.tokenBudget,
    requested_outputs: wish.requestedOutputs && [...wish.requestedOutputs],
  }
  return {
    schema_name: 'mission_envelope',
    schema_version: 'v1',
    mission_id: id,
    mission_type: missionType,
    origin_surface: wish.origin,
    tenant_id: wish.tenant,
    actor_id: wish.actor,
    ...(wish.actorRole !== undefined && { actor_role: wish.actorRole }),
    user_goal: wish.goal,
    normalized_goal: wish.normalizedGoal ?? onOneLine(wish.goal),
    ...defaults,
    ...withoutGaps(given),
    ...(wish.contextRefs !== undefined && { context_refs: wish.contextRefs }),
    created_at: formatInstant(now),
    producer: 'waybill',
  }
}

function onOneLine(text: string): string {
  return text.split(/\s/).filter(Boolean).join(' ')
}

type Filled<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function withoutGaps<T extends object>(value: T): Filled<T> {
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  return Object.fromEntries(entries) as Filled<T>
}

/**
 * The first graph of a mission, not checked yet, with the placeholders of its template filled in.
 *
 * @throws WaybillError `usage` where the mission lacks a context reference that a task asks for, or its texts grow too
 * long.
 */
export function graphFrom(
  template: Template,
  envelope: MissionEnvelope,
  now: number,
): MissionTaskGraph {
  const values = missionValues(envelope)
  let length = 0
  const fill = (text: string) => {
    const whole = filled(text, values)
    length += whole.length
    if (length > MOST_BYTES)
      throw new WaybillError('usage', 'the tasks of the mission grow too long', {
        hint: 'state the goal in fewer words: its template repeats it in every task',
      })
    return whole
  }
  const tasks: Task[] = template.tasks.map(task => ({
    ...task,
    objective: fill(task.objective),
    success_criteria: task.success_criteria.map(fill),
  }))
  return {
    schema_name: 'mission_task_graph',
    schema_version: 'v1',
    mission_id: envelope.mission_id,
    tenant_id: envelope.tenant_id,
    actor_id: envelope.actor_id,
    tasks,
    created_at: formatInstant(now),
    producer: 'waybill',
  }
}

/** Who does a task, with which prompts, and how often it is tried. */
export interface TaskPlan {
  readonly task: string
  readonly agent: string
  /** `<template_id>@<version>`; null is the built-in one of its role. */
  readonly prompt: string | null
  readonly retries: Template['retries']
}

/**
 * Who does the tasks of a graph: the agent that the template names for a task, else that of its role.
 *
 * @throws WaybillError `configuration` where nobody plays a role.
 */
export function plansFor(
  { agents, prompts, retries }: Pick<Template, 'agents' | 'prompts' | 'retries'>,
  tasks: readonly Task[],
  roles: Readonly<Record<string, string>>,
): TaskPlan[] {
  return tasks.map(({ task_id, role_type }) => ({
    task: task_id,
    agent: own(agents, task_id) ?? own(roles, role_type) ?? nobody(task_id, role_type),
    prompt: own(prompts, task_id) ?? own(prompts, role_type) ?? null,
    retries,
  }))
}

function own(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function nobody(task: string, role: string): never {
  throw new WaybillError('configuration', `nobody does the task ${quote(task)}`, {
    hint: `name the agent of the role ${role} under missions.roles in waybill.yaml`,
  })
}
