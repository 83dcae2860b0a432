import { outputSettings } from '../../app.ts'
import { spelled } from '../../contract/index.ts'
import type { ListedTaskParts, MissionStatusParts } from '../../operations/mission/output.ts'
import type { Style } from '../parse.ts'
import { isTerminal, print, showTold } from '../terminal.ts'
import { LiveDrawing, type TerminalSize } from './live-drawing.ts'
import {
  answerLine,
  doingOf,
  endLines,
  headLine,
  marked,
  missionLines,
  onOneLine,
  reasonLines,
  remedyLines,
  spanOf,
} from './mission.ts'

function sizeOf(): TerminalSize {
  // A pseudo-terminal may report no size.
  const { columns, rows } = process.stdout
  return { columns: columns || 80, rows: rows || 24 }
}

/** What one run has shown of a mission so far. */
interface Shown {
  readonly seen: Map<string, string>
  wasHeaded: boolean
}

/** Shows a mission each time it advances: redrawn on a terminal, line by line elsewhere; when quiet, only failures. */
export function liveMission(): (
  status: MissionStatusParts,
  style: Style,
  quiet?: boolean,
) => string {
  const shown: Shown = { seen: new Map(), wasHeaded: false }
  const drawing = new LiveDrawing(sizeOf)
  // Print notices above the drawing, which would count them as its own lines otherwise.
  showTold(line => {
    const text = process.stderr.isTTY ? drawing.above(line) : undefined
    if (text !== undefined) print(text)
    return text !== undefined
  })
  return (status, style, quiet = false) => {
    if (quiet) return [...wrongLines(status, style, shown)].join('\n')
    if (!isTerminal() || !outputSettings().moves)
      return [...newLines(status, style, shown)].join('\n')
    const isOver = status.endedAt !== null
    const lines = linesOf(status, style)
    const fits = isOver || lines.length <= drawing.room
    return drawing.next(fits ? lines : short(status, style), isOver)
  }
}

function linesOf(status: MissionStatusParts, style: Style): string[] {
  return missionLines(status, style, sizeOf().columns - 1).flatMap(line => line.split('\n'))
}

/** The active tasks of a mission that does not fit, and counts of the rest. */
function short(status: MissionStatusParts, style: Style): string[] {
  const active = status.tasks.filter(({ state }) => !['done', 'blocked', 'queued'].includes(state))
  const count = (state: string) => status.tasks.filter(task => task.state === state).length
  const rest = ['done', 'queued', 'blocked'].map(state => `${count(state)} ${state}`).join(', ')
  const [head = '', ...lines] = linesOf({ ...status, goal: null, tasks: active }, style)
  return [head, `  ${style('dim', rest)}`, ...lines]
}

function* newLines(status: MissionStatusParts, style: Style, shown: Shown): Iterable<string> {
  if (!shown.wasHeaded) yield headLine(status, style)
  shown.wasHeaded = true
  for (const task of changed(status, shown)) yield* changeLines(task, status, style)
  if (status.endedAt === null) return
  yield headLine({ ...status, goal: null }, style)
  yield* endLines(status, style)
}

/** The tasks that failed since the last call, and why the mission ended early. */
function* wrongLines(status: MissionStatusParts, style: Style, shown: Shown): Iterable<string> {
  for (const task of changed(status, shown)) {
    if (task.state === 'failed') yield* changeLines(task, status, style)
  }
  if (status.state !== 'failed' && status.state !== 'cancelled') return
  yield headLine({ ...status, goal: null }, style)
  yield* reasonLines(status, style)
}

/** The tasks whose state changed since the last call. */
function* changed({ tasks }: MissionStatusParts, { seen }: Shown): Iterable<ListedTaskParts> {
  for (const task of tasks) {
    const now = `${task.state} ${task.attempt}`
    if (seen.get(task.task) === now || task.state === 'blocked') continue
    seen.set(task.task, now)
    yield task
  }
}

function* changeLines(
  one: ListedTaskParts,
  status: MissionStatusParts,
  style: Style,
): Iterable<string> {
  const { task, state, ms, agent, reason, waitingFor } = one
  const facts = [spelled(agent), ...(ms === null || state === 'queued' ? [] : [spanOf(ms)])]
  const isShown = reason && state !== 'done' && state !== 'running'
  const why = isShown ? `  ${spelled(`${reason.code} ${onOneLine(reason.message)}`)}` : ''
  yield `  ${marked(state, style)} ${spelled(task)}  ${doingOf(one)}  ${style('dim', facts.join(', '))}${why}`
  if (isShown) for (const line of remedyLines(reason, style)) yield `    ${line}`
  if (state === 'waiting' && waitingFor === 'person')
    yield `    ${style('dim', answerLine(one, status))}`
}
