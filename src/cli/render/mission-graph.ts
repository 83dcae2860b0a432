import { missionCommand, spelled } from '../../contract/index.ts'
import type { MissionGraphOutput } from '../../operations/mission-graph/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { hang, textWidth, widthOf } from './layout.ts'
import { marked } from './mission.ts'

const WIDEST_TASK = 40

/** The drawing, ready to write to a file; else each task with its dependencies. */
export function text(output: MissionGraphOutput, style: Style, _: App, quiet: boolean): string {
  const { drawing, tasks, edges } = output
  if (drawing !== null) return drawing.trimEnd()
  const before = new Map<string, string[]>()
  for (const { from, to } of edges) {
    const list = before.get(to) ?? []
    before.set(to, list)
    list.push(spelled(from))
  }
  const widest = tasks.reduce((most, { task }) => Math.max(most, widthOf(spelled(task))), 0)
  const indent = Math.min(WIDEST_TASK, widest) + 2
  const lines = tasks.flatMap(({ task, state }) => {
    const name = spelled(task)
    const after = (before.get(task) ?? []).join(', ')
    const [first = '', ...rest] = hang(name, indent, after && `← ${after}`, textWidth() - 2)
    const line = `${marked(state, style)} ${name}${style('dim', first.slice(name.length))}`
    return [line.trimEnd(), ...rest.map(one => style('dim', `  ${one}`))]
  })
  const hint = `${missionCommand('graph', output)} --as svg > mission.svg draws it`
  return [...lines, ...(quiet ? [] : ['', style('dim', hint)])].join('\n')
}
