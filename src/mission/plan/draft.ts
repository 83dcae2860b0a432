import { quote } from '../../contract/index.ts'
import type { MissionEnvelope, MissionTaskGraph } from '../../contracts/index.ts'
import { formatInstant, MOST_BYTES } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import type { Task } from '../runner.ts'
import { filled, missionValues } from './placeholders.ts'
import type { Template } from './template.ts'

/** A request for a mission; the template supplies absent values. */
export interface Wish {
  readonly goal: string
  /** The interpreted goal; the goal on one line when absent. */
  readonly normalizedGoal?: string
  readonly tenant: string
  readonly actor: string
  readonly actorRole?: string
  /** The source of the request, such as `cli`. */
  readonly origin: string
  readonly contextRefs?: MissionEnvelope['context_refs']
  readonly riskLevel?: MissionEnvelope['risk_level']
  readonly sensitivityClass?: string
  readonly timeBudgetMs?: number
  readonly tokenBudget?: number
  readonly requestedOutputs?: readonly string[]
}

/** Builds the envelope of a mission, unchecked; `now` in milliseconds since the epoch, `id` a UUID. */
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
 * Builds the first graph of a mission from its template, unchecked, with placeholders filled in.
 * @throws {WaybillError} 'usage' when a context reference is missing or the texts grow too long.
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
      throw new WaybillError('usage', 'the tasks of the mission are too long', {
        hint: 'shorten the goal: the template repeats it in every task',
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

/** The agent, prompts and retries of a task. */
export interface TaskPlan {
  readonly task: string
  readonly agent: string
  /** `<template_id>@<version>`; null for the built-in prompts of its role. */
  readonly prompt: string | null
  readonly retries: Template['retries']
}

/**
 * Assigns an agent to each task: the template's agent for the task, or else the agent of its role.
 * @throws {WaybillError} 'configuration' when a role has no agent.
 */
export function plansFor(
  { agents, prompts, retries }: Pick<Template, 'agents' | 'prompts' | 'retries'>,
  tasks: readonly Task[],
  roles: Readonly<Record<string, string>>,
): TaskPlan[] {
  return tasks.map(({ task_id, role_type }) => ({
    task: task_id,
    agent: own(agents, task_id) ?? own(roles, role_type) ?? failUnassigned(task_id, role_type),
    prompt: own(prompts, task_id) ?? own(prompts, role_type) ?? null,
    retries,
  }))
}

function own(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function failUnassigned(task: string, role: string): never {
  throw new WaybillError('configuration', `no agent runs the task ${quote(task)}`, {
    hint: `give an agent the role ${role} in missions.roles in waybill.yaml`,
  })
}
