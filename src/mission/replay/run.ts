import { quote } from '../../contract/index.ts'
import { formatPointer } from '../../document/index.ts'
import type { MissionRun, MissionSnapshot, MissionTask } from '../../store/index.ts'
import { placeOf, saidBy } from './artifacts.ts'
import type { Difference } from './codes.ts'
import { placeOfTask, SKEW } from './tasks.ts'

const ACTIVE: readonly string[] = ['queued', 'running', 'waiting']

/** Checks the state, counts and usage of a mission against its tasks. */
export function* inRun({ run, tasks, artifacts }: MissionSnapshot): Iterable<Difference> {
  const open = tasks.filter(({ state }) => state !== 'done').length
  const active = tasks.filter(({ state }) => ACTIVE.includes(state)).length
  const used = tasks.reduce((sum, { tokensUsed }) => sum + tokensUsed, 0)
  const [envelope] = artifacts.filter(({ name }) => name === 'mission_envelope')
  if (!envelope)
    yield {
      code: 'replay/artifact-missing',
      path: '/artifacts/mission_envelope',
      message: 'the mission has no envelope',
    }
  const budget = envelope?.payload ? (envelope.payload.token_budget ?? null) : run.tokenBudget
  const counts: readonly (readonly [keyof MissionRun, unknown])[] = [
    ['openTasks', open],
    ['activeTasks', active],
    ['tokensUsed', used],
    ['tokenBudget', budget],
  ]
  for (const [member, expected] of counts)
    if (run[member] !== expected)
      yield mission(member, `it is ${run[member]} but must be ${expected}`)
  const hasTime = envelope?.payload ? envelope.payload.time_budget_ms !== undefined : undefined
  if (hasTime !== undefined && hasTime !== (run.deadline !== null))
    yield mission('deadline', `it is ${run.deadline ?? 'none'}, which differs from the envelope`)
  const fault = faultIn(run, { open, active })
  if (fault) yield mission('state', fault)
  else if (!endsWithTask(run, tasks))
    yield mission('endedAt', `it ended at ${run.endedAt}, but no task ended then`)
}

/** A mission ends in the same transaction as a task; a cancelled one, with its cancelled tasks. */
function endsWithTask({ state, endedAt }: MissionRun, tasks: readonly MissionTask[]): boolean {
  const last = tasks.filter(task => state !== 'cancelled' || task.state === 'cancelled')
  const ends = last.flatMap(task => (task.endedAt === null ? [] : [Date.parse(task.endedAt)]))
  if (endedAt === null || ends.length === 0) return true
  return ends.some(end => Math.abs(Date.parse(endedAt) - end) <= SKEW)
}

function mission(member: keyof MissionRun, message: string): Difference {
  return { code: 'replay/mission-state', path: `/run/${member}`, message }
}

function faultIn(
  { state, endedAt, pausedAt }: MissionRun,
  { open, active }: { readonly open: number; readonly active: number },
): string | undefined {
  const isOver = state === 'finished' || state === 'failed' || state === 'cancelled'
  if (isOver !== (endedAt !== null))
    return `it is ${state}, but its end time is ${endedAt ?? 'missing'}`
  if ((state === 'paused') !== (pausedAt !== null))
    return `it is ${state}, but its pause time is ${pausedAt ?? 'missing'}`
  if (open === 0 && state !== 'finished') return `every task is done, but it is ${state}`
  if (open > 0 && state === 'finished') return `it is finished, but ${open} tasks are not done`
  if (isOver && active > 0) return `it is ${state}, but ${active} tasks are active`
  const goesOn = state === 'running' || state === 'paused'
  return goesOn && active === 0 ? `it is ${state}, but no task is active` : undefined
}

/** Checks that each decision is about an unchanged proposal of the mission. */
export function* inDecisions({ artifacts, decisions }: MissionSnapshot): Iterable<Difference> {
  const proposals = new Map(
    artifacts.flatMap(({ name, id, digest }) =>
      name === 'writeback_proposal' ? [[id, digest]] : [],
    ),
  )
  for (const { proposal, digest, decision, outcome } of decisions) {
    const path = formatPointer(['decisions', proposal])
    if (proposals.get(proposal) !== digest)
      yield {
        code: 'replay/decision-differs',
        path,
        message: proposals.has(proposal)
          ? 'the decision is about another version of the proposal'
          : 'the mission has no such proposal',
      }
    if (outcome && decision !== 'approved')
      yield {
        code: 'replay/decision-differs',
        path,
        message: `the proposal was ${decision} but delivered`,
      }
  }
}

/** Reports tool calls without a task, and cited calls that are not in the trace. */
export function* inToolCalls({
  artifacts,
  tasks,
  toolCalls,
}: MissionSnapshot): Iterable<Difference> {
  const known = new Set(tasks.map(({ task }) => task))
  for (const { ref, task } of toolCalls) {
    if (known.has(task)) continue
    const message = `the tool call ${quote(ref)} names this task, but the mission has no such task`
    yield { code: 'replay/task-unknown', path: placeOfTask(task), message }
  }
  const traced = new Set(toolCalls.map(({ ref, task }) => JSON.stringify([task, ref])))
  const results = artifacts.filter(({ name }) => name === 'worker_result')
  for (const result of results) {
    const { task_id, tool_trace_refs } = saidBy(result)
    const refs = Array.isArray(tool_trace_refs) ? tool_trace_refs : []
    for (const [i, ref] of refs.entries()) {
      if (traced.has(JSON.stringify([task_id, ref]))) continue
      yield {
        code: 'replay/tool-call-unknown',
        path: `${placeOf(result)}/tool_trace_refs/${i}`,
        message: 'the trace of the task has no such call',
      }
    }
  }
}
