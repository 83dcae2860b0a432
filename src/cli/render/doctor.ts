import { outputSettings } from '../../app.ts'
import { counted } from '../../contract/index.ts'
import type { DoctorItem, DoctorOutput } from '../../operations/doctor/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { indent, pad, textWidth, wrap } from './layout.ts'

const SIGNS = { ok: ['green', '✓'], warning: ['yellow', '!'], error: ['red', '✗'] } as const

/** One line per item with its fix, then a summary line. */
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

/** The item about the terminal, which only the CLI knows. */
function terminal(style: Style): DoctorItem {
  const coloured = style('bold', '') !== ''
  const { color } = outputSettings()
  const why = color === undefined ? '' : ', set by the environment'
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
  if (warnings > 0) return `${style('green', '✓')} works, with ${counted(warnings, 'warning')}`
  return `${style('green', '✓')} all is well`
}
