import type { DiagnosticForPeople } from '../../operations/check/report.ts'
import type { Style } from '../parse.ts'
import { terminalColumns, widthOf } from './layout.ts'

/** Columns when the output is not a terminal. */
const WIDEST = 110
const NARROWEST = 20
/** Most columns before the span when the line does not fit. */
const MOST_BEFORE = 30
const COLORS = { error: 'red', warning: 'yellow', info: 'blue' } as const

/** Renders a diagnostic: message, source line with the span underlined, reason and fix. */
export function frame(path: string, diagnostic: DiagnosticForPeople, style: Style): string {
  const { code, severity, message, line, column, excerpt, why, hint } = diagnostic
  const color = COLORS[severity]
  const gutter = ' '.repeat(String(line).length)
  const bar = style('dim', '│')
  const lines = [
    `${style(color, severity)}${style('dim', `[${code}]`)} ${style('bold', message)}`,
    `${gutter} ${style('dim', '╭─')} ${style('cyan', `${path}:${line}:${column}`)}`,
  ]
  if (excerpt?.trim()) {
    const { text, before, marked } = window(
      excerpt,
      diagnostic,
      roomAfter(gutter.length + ' │ '.length),
    )
    lines.push(`${style('dim', String(line))} ${bar} ${text}`)
    lines.push(`${gutter} ${bar} ${' '.repeat(before)}${style(color, '^'.repeat(marked))}`)
  }
  if (why) lines.push(`${gutter} ${bar} ${style('dim', `why: ${why}`)}`)
  if (hint) lines.push(`${gutter} ${bar} fix: ${hint}`)
  lines.push(`${gutter} ${style('dim', '╰─')}`)
  return lines.join('\n')
}

/** Columns left after the line number, with an ellipsis at either end. */
function roomAfter(taken: number): number {
  const columns = terminalColumns()
  return columns === undefined ? WIDEST : Math.max(NARROWEST, columns - taken - 2)
}

/** The part of a line around the span that fits the room, with the columns of the span in it. */
function window(
  excerpt: string,
  { line, column, endLine, endColumn }: DiagnosticForPeople,
  room: number,
) {
  const end = endLine === line ? endColumn : excerpt.length + 1
  const all = excerpt.length <= room && columnsOf(excerpt) <= room
  const most = Math.min(MOST_BEFORE, Math.floor(room / 3))
  const tail = excerpt.slice(-room)
  // Fewer wide characters fit, so the span may be cut off at the end.
  const latest = columnsOf(tail) > tail.length ? column : excerpt.length - room
  const from = all ? 0 : Math.max(0, Math.min(column - 1 - most, latest))
  const shown = fitting(excerpt.slice(from, from + room), room)
  const to = from + shown.length
  const lead = from > 0 ? '…' : ''
  const text = `${lead}${printable(shown)}${to < excerpt.length ? '…' : ''}`
  const before = lead.length + columnsOf(shown.slice(0, column - 1 - from))
  const spanned = columnsOf(excerpt.slice(column - 1, Math.min(end - 1, to)))
  return { text, before, marked: Math.max(1, spanned) }
}

const columnsOf = (text: string) => widthOf(printable(text))

/** The longest prefix that fits the columns. */
function fitting(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  let [length, width] = [0, 0]
  for (const character of text) {
    width += columnsOf(character)
    if (width > columns) break
    length += character.length
  }
  return text.slice(0, length)
}

/** Text that cannot move the cursor: tabs become spaces, control and format characters dots. */
function printable(text: string): string {
  return text.replaceAll('\t', '  ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '·')
}
