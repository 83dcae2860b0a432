import { outputSettings } from '../../app.ts'
import { counted } from '../../contract/index.ts'
import type { DoctorItem, DoctorOutput } from '../../operations/doctor/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { indent, pad, textWidth, wrap } from './layout.ts'

const SIGNS = { ok: ['green', '✓'], warning: ['yellow', '!'], error: ['red', '✗'] } as const

/** A line for each thing with what to do below it, then a line that sums it up. */
export function text(
  { summary, items }: DoctorOutput,
  style: Style,
  _app: App,
  quiet: boolean,
): string {
  const all = [...items, terminal(style)]
  const shown = quiet ? all.filter(item => item.status !== 'ok') : all
  const label = Math.max(0, ...all.map(item => item.name.length)) + 2
  const lines = shown.flatMap(item => entry(item, label, style))
  if (lines.length > 0) lines.push('')
  return [...lines, verdict(summary, style)].join('\n')
}

function entry(
  { name, status, message, remedy }: DoctorItem,
  label: number,
  style: Style,
): string[] {
  const [color, sign] = SIGNS[status]
  const inner = label + 2
  const [first = '', ...rest] = wrap(message, textWidth() - inner)
  return [
    `${style(color, sign)} ${style(status === 'ok' ? 'dim' : 'bold', pad(name, label))}${first}`,
    ...indent(rest, inner),
    ...indent(remedy ? wrap(`fix: ${remedy}`, textWidth() - inner) : [], inner),
  ]
}

/** What only the surface knows: where the words go. */
function terminal(style: Style): DoctorItem {
  const coloured = style('bold', '') !== ''
  const { color } = outputSettings()
  const why = color === undefined ? '' : ', as the environment says'
  const where = process.stdout.isTTY ? `${process.stdout.columns} columns` : 'not a terminal'
  return {
    name: 'output',
    status: 'ok',
    message: `${where}, ${coloured ? 'with' : 'without'} colour${why}`,
  }
}

function verdict({ errors, warnings }: DoctorOutput['summary'], style: Style): string {
  if (errors > 0)
    return style('red', `✗ ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`)
  if (warnings > 0) return `${style('green', '✓')} it works, with ${counted(warnings, 'warning')}`
  return `${style('green', '✓')} all is well`
}
