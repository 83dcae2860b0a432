import { missionCommand, shellWord, spelled, tenantFlag } from '../../contract/index.ts'
import type {
  ListedMissionParts,
  ListedProposalParts,
  ListedTaskParts,
  MissionStatusParts,
} from '../../operations/mission/output.ts'
import type { Style } from '../parse.ts'
import { pad, widthOf } from './layout.ts'

type State = MissionStatusParts['state'] | ListedTaskParts['state']

const MARKS: Readonly<Record<State, readonly [mark: string, color: Parameters<Style>[0]]>> = {
  blocked: ['·', 'dim'],
  queued: ['○', 'dim'],
  running: ['●', 'cyan'],
  waiting: ['◐', 'yellow'],
  paused: ['◐', 'yellow'],
  done: ['✓', 'green'],
  finished: ['✓', 'green'],
  failed: ['✗', 'red'],
  cancelled: ['✗', 'yellow'],
}

/** A mission and its tasks as a tree: a task is below the last of its dependencies. */
export function missionLines(
  status: MissionStatusParts,
  style: Style,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const rows = treeOf(status.tasks)
  const width = Math.max(
    0,
    ...rows.map(({ task, depth }) => widthOf(spelled(task.task)) + 2 * depth),
  )
  return [
    headLine(status, style, columns),
    ...rows.flatMap(row => taskLines(row, { width, status, style })),
    ...endLines(status, style),
  ]
}

/** State and figures of a mission, in two lines if one is too narrow, and its goal below. */
export function headLine(
  mission: ListedMissionParts,
  style: Style,
  columns = Number.POSITIVE_INFINITY,
): string {
  const { state, goal, tokensUsed, tokenBudget, startedAt, endedAt, deadline } = mission
  const tokens =
    tokensUsed > 0 || tokenBudget !== null
      ? `${tokensUsed}${tokenBudget === null ? '' : ` of ${tokenBudget}`} tokens`
      : ''
  const took = endedAt === null ? '' : spanOf(Date.parse(endedAt) - Date.parse(startedAt))
  const left =
    endedAt === null && deadline !== null && state === 'running' ? `until ${deadline}` : ''
  const facts = [took, tokens, left].filter(fact => fact !== '').join(', ')
  const words = [marked(state, style), style('bold', mission.mission), state]
  const width = `● ${mission.mission} ${state} ${facts}`.length
  return [
    words.join(' '),
    ...(facts === '' ? [] : [width > columns ? '\n  ' : ' ', style('dim', facts)]),
    ...(goal === null ? [] : [`\n  ${spelled(goal)}`]),
  ].join('')
}

interface Row {
  readonly task: ListedTaskParts
  readonly depth: number
}

/** Puts each task below the last of its dependencies, in the order of the graph. */
function treeOf(tasks: readonly ListedTaskParts[]): Row[] {
  const place = new Map(tasks.map(({ task }, i) => [task, i]))
  const children = new Map<string, ListedTaskParts[]>()
  for (const task of tasks) {
    const before = task.dependsOn.filter(name => place.has(name))
    const last = before.reduce<string>(
      (one, other) => ((place.get(other) ?? 0) >= (place.get(one) ?? -1) ? other : one),
      '',
    )
    children.set(last, [...(children.get(last) ?? []), task])
  }
  const rows: Row[] = []
  const open = [...(children.get('') ?? [])].reverse().map(task => ({ task, depth: 0 }))
  for (let row = open.pop(); row; row = open.pop()) {
    rows.push(row)
    const { task, depth } = row
    const below = children.get(task.task) ?? []
    // A chain is drawn as a column; only branches are indented.
    const deeper = below.length > 1 ? depth + 1 : depth
    for (const child of [...below].reverse()) open.push({ task: child, depth: deeper })
  }
  return rows
}

function taskLines(
  { task, depth }: Row,
  { width, status, style }: { width: number; status: MissionStatusParts; style: Style },
): string[] {
  const { state, role, agent, ms, attempt, waitingFor, answeredBy, tokensUsed, reason } = task
  const indent = '  '.repeat(depth + 1)
  const name = pad(spelled(task.task), width - 2 * depth)
  const facts = [
    `${role}, ${spelled(agent)}`,
    ...(answeredBy === null
      ? []
      : [`answered by ${spelled(answeredBy.by)} (${answeredBy.standing})`]),
    ...(ms === null || state === 'queued' ? [] : [spanOf(ms)]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(tokensUsed > 0 ? [`${tokensUsed} tokens`] : []),
  ]
  const doing = doingOf(task)
  const line = `${indent}${marked(state, style)} ${name}  ${doing}  ${style('dim', facts.join(', '))}`
  const isShown = reason && state !== 'done'
  const why = isShown ? [reasonLine(reason, style), ...remedyLines(reason, style)] : []
  const answer =
    state === 'waiting' && waitingFor === 'person'
      ? [`${indent}  ${style('dim', answerLine(task, status))}`]
      : []
  return [line, ...why.map(words => `${indent}  ${words}`), ...answer]
}

/** The state of a task, and what it waits for. */
export function doingOf({ state, waitingFor }: ListedTaskParts): string {
  return state === 'waiting' ? `waiting for ${spelled(waitingFor ?? '')}` : state
}

/** The command to answer a task. */
export function answerLine({ task }: ListedTaskParts, status: MissionStatusParts): string {
  return `waybill mission answer ${status.mission} ${shellWord(task)}${tenantFlag(status)} --file <answer.json> --by <name> [--key <file>]`
}

/** The lines below the tasks: proposals to decide, why the mission ended, and what to do. */
export function endLines(status: MissionStatusParts, style: Style): string[] {
  return [...proposalLines(status, style), ...reasonLines(status, style)]
}

const PROPOSALS: Readonly<
  Record<ListedProposalParts['state'], readonly [mark: string, color: Parameters<Style>[0]]>
> = {
  pending: ['◐', 'yellow'],
  approved: ['●', 'cyan'],
  delivered: ['✓', 'green'],
  rejected: ['✗', 'yellow'],
  failed: ['✗', 'red'],
  expired: ['✗', 'red'],
  erased: ['·', 'dim'],
}

const WAITS: Readonly<Partial<Record<ListedProposalParts['state'], string>>> = {
  pending: 'waiting for approval',
  approved: 'approved, not yet delivered',
}

/** The review and the proposed write-backs, with the command to decide the first pending one. */
function proposalLines(status: MissionStatusParts, style: Style): string[] {
  const { review, proposals } = status
  const lines = proposals.map(({ proposal, state, action, target, by, delivery }) => {
    const [mark, color] = PROPOSALS[state]
    const what = action === null ? [] : [`${spelled(action)} of ${spelled(target ?? '')}`]
    const facts = [...what, ...(by === null ? [] : [`by ${spelled(by)}`])].join(', ')
    const came = delivery === null ? '' : `  ${spelled(delivery)}`
    return `  ${style(color, mark)} ${spelled(proposal)}  ${WAITS[state] ?? state}  ${style('dim', facts)}${came}`
  })
  const first = proposals.find(({ state }) => state === 'pending')
  return [
    ...(review === null ? [] : [`  review: ${spelled(review)}`]),
    ...(lines.length === 0 ? [] : ['  write-backs:', ...lines.map(line => `  ${line}`)]),
    ...(first ? [`  ${style('dim', decideLine(first.proposal, status))}`] : []),
  ]
}

function decideLine(proposal: string, status: MissionStatusParts): string {
  const { mission, review } = status
  const which = `${shellWord(proposal)} --mission ${mission}${tenantFlag(status)}`
  if (review !== null && !/^approved/.test(review))
    return `no write-backs are sent after review '${spelled(review)}'; close it: waybill mission reject ${which} --by <name> --why <reason>`
  return `waybill mission approve ${which} --dry-run shows it; approve it with --by <name> --why <reason> [--key <file>]`
}

/** Why a mission ended early, and how to retry it. */
export function reasonLines(status: MissionStatusParts, style: Style): string[] {
  const { state, reason } = status
  if (state === 'failed')
    return [
      ...(reason ? [`  ${reasonLine(reason, style)}`] : []),
      `  ${style('dim', `${missionCommand('retry', status)} retries what failed`)}`,
    ]
  if (state === 'cancelled' && reason) return [`  ${reasonLine(reason, style)}`]
  return []
}

/** Why a mission or task ended early, in one line. */
export function reasonLine(
  { code, message }: NonNullable<ListedTaskParts['reason']>,
  style: Style,
): string {
  return `${style('red', spelled(code))} ${spelled(onOneLine(message))}`
}

/** The hint of the first diagnostic, if any. */
export function remedyLines(
  { diagnostics = [] }: NonNullable<ListedTaskParts['reason']>,
  style: Style,
): string[] {
  const [{ hint } = {}] = diagnostics
  return hint === undefined ? [] : [style('dim', spelled(onOneLine(hint)))]
}

/** The one-column mark of a state. */
export function marked(state: State, style: Style): string {
  const [mark, color] = MARKS[state]
  return style(color, mark)
}

/** Formats a duration in milliseconds. */
export function spanOf(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Joins the non-empty lines of a text with bars. */
export function onOneLine(text: string): string {
  return text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '')
    .join(' | ')
}
