import type { DiagnosticForPeople } from '../../operations/check/report.ts'
import type { Style } from '../parse.ts'
import { widthOf } from './layout.ts'

const WIDEST = 110
const COLORS = { error: 'red', warning: 'yellow', info: 'blue' } as const

/** A diagnostic as people read it: what is wrong, the offending line with the span underlined, why, and what to do. */
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
    const { text, before, marked } = window(excerpt, diagnostic)
    lines.push(`${style('dim', String(line))} ${bar} ${text}`)
    lines.push(`${gutter} ${bar} ${' '.repeat(before)}${style(color, '^'.repeat(marked))}`)
  }
  if (why) lines.push(`${gutter} ${bar} ${style('dim', `why: ${why}`)}`)
  if (hint) lines.push(`${gutter} ${bar} fix: ${hint}`)
  lines.push(`${gutter} ${style('dim', '╰─')}`)
  return lines.join('\n')
}

/** The part of a line around the span that fits on a screen, with the columns that the span takes up in it. */
function window(excerpt: string, { line, column, endLine, endColumn }: DiagnosticForPeople) {
  const end = endLine === line ? endColumn : excerpt.length + 1
  const from =
    excerpt.length <= WIDEST ? 0 : Math.max(0, Math.min(column - 1 - 30, excerpt.length - WIDEST))
  const shown = excerpt.slice(from, from + WIDEST)
  const lead = from > 0 ? '…' : ''
  const text = `${lead}${printable(shown)}${from + WIDEST < excerpt.length ? '…' : ''}`
  const before = lead.length + widthOf(printable(shown.slice(0, column - 1 - from)))
  const spanned = widthOf(printable(excerpt.slice(column - 1, Math.min(end - 1, from + WIDEST))))
  return { text, before, marked: Math.max(1, spanned) }
}

/** Text that cannot move the cursor: tabs as spaces, control and format characters as a visible stand-in. */
function printable(text: string): string {
  return text.replaceAll('\t', '  ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '·')
}
