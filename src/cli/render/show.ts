import { relative, resolve } from 'node:path'
import { counted, listed, spelled } from '../../contract/index.ts'
import { fileOf } from '../../operations/check/report.ts'
import type { App } from '../../operations/operation.ts'
import type { Item, Line, ListedDocument, Section, Table } from '../../operations/show/output.ts'
import type { ViewForPeople } from '../../operations/show/views.ts'
import { type ShowForPeople, showForPeople } from '../../operations/show.ts'
import type { Style } from '../parse.ts'
import { excused, infos } from './asides.ts'
import { frame } from './frame.ts'
import { hang, indent, pad, textWidth, widthOf, wrap } from './layout.ts'
import { joinSoftBreaks } from './soft-breaks.ts'

/** Adds the source lines that the frames show. */
export const forPeople = showForPeople

/** The documents, or a list if there are many. */
export function text({ documents, listed: many }: ShowForPeople, style: Style, app: App): string {
  if (many.length > 0) return list(many, style, app)
  const rule = style('dim', '─'.repeat(textWidth()))
  return documents.map(view => document(view, style, app).join('\n')).join(`\n\n${rule}\n\n`)
}

function list(many: readonly ListedDocument[], style: Style, app: App): string {
  const width = Math.max(...many.map(d => widthOf(shown(d.path, app))))
  const lines = many.map(
    d =>
      `${verdict(d.accepted, style)} ${pad(shown(d.path, app), width)}  ${style('dim', d.title)}`,
  )
  const [first] = many
  return [
    ...lines,
    '',
    style(
      'dim',
      `${counted(many.length, 'document')}; show one with waybill show ${first ? shown(first.path, app) : '<path>'}`,
    ),
  ].join('\n')
}

function document(view: ViewForPeople, style: Style, app: App): string[] {
  const { title, id, contract, version, path } = view
  const kind = contract ? style('dim', `  ${contract} ${version}`) : ''
  const lines = [
    `${style('bold', title)}${id ? ` ${style('bold', id)}` : ''}${kind}`,
    style('cyan', shown(path, app)),
  ]
  const partLines = (part: Section) => [
    '',
    style('bold', part.title || '(no title)'),
    ...section(prose(part, view), style),
  ]
  const { leading = 0 } = view
  lines.push(...view.sections.slice(0, leading).flatMap(partLines))
  if (view.facts.length > 0) lines.push('', ...facts(view.facts, style))
  lines.push(...view.sections.slice(leading).flatMap(partLines))
  return [...lines, ...leftOut(view, style), '', ...wrong(view, style, app)]
}

/** Joins the soft line breaks of Markdown paragraphs, so that they wrap again at the terminal's width. */
function prose(part: Section, { contract }: ViewForPeople): Section {
  if (!contract?.startsWith('handoff-') || part.text === undefined) return part
  return { ...part, text: joinSoftBreaks(part.text) }
}

/** Labelled values in two columns. */
export function facts(lines: readonly Line[], style: Style): string[] {
  const label = Math.max(...lines.map(l => widthOf(l.label))) + 2
  return lines
    .flatMap(line => labelled(line, label, textWidth() - 2, style))
    .map(line => `  ${line}`)
}

function labelled(
  { label, value }: Line,
  labelWidth: number,
  width: number,
  style: Style,
): string[] {
  const [first = '', ...rest] = hang('', labelWidth, value, width)
  return [style('dim', pad(label, labelWidth)) + first.slice(labelWidth), ...rest]
}

/** The lines of a section below its title. */
export function section({ items, text, table }: Section, style: Style): string[] {
  const lines: string[] = []
  if (text !== undefined)
    lines.push(...indent(text.trim() ? wrap(text, textWidth() - 2) : [style('dim', '(empty)')], 2))
  if (table) lines.push(...rows(table, style))
  if (items) lines.push(...entries(items, style))
  return lines
}

const COLORS: Readonly<Record<string, 'red' | 'yellow' | 'green' | 'cyan'>> = {
  critical: 'red',
  high: 'red',
  FAILED: 'red',
  BLOCKED: 'red',
  rejected: 'red',
  fail: 'red',
  no: 'red',
  missing: 'red',
  medium: 'yellow',
  pending: 'yellow',
  IN_PROGRESS: 'yellow',
  COMPLETE: 'green',
  approved: 'green',
  pass: 'green',
  yes: 'green',
}

function mark(word: string, style: Style): string {
  const color = Object.hasOwn(COLORS, word) ? COLORS[word] : undefined
  return color ? style(color, word) : style('dim', word)
}

/** Longer ids are cut; a UUID fits. */
const LONGEST_ID = 40

const NO_BREAK = '\u00a0'

/** Ids get their own column. */
function entries(items: readonly Item[], style: Style): string[] {
  const widest = Math.max(0, ...items.map(({ id = '', depth = 0 }) => widthOf(id) + depth * 2))
  const column = widest > 0 ? Math.min(widest, 28) + 2 : 0
  return items.flatMap(entry => one(entry, column, style))
}

function one(
  { id, marks = [], text, details = [], depth = 0 }: Item,
  column: number,
  style: Style,
): string[] {
  const lead = '  '.repeat(depth + 1)
  const width = textWidth()
  const name = id && widthOf(id) > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : (id ?? '')
  const label = column === 0 ? '· ' : pad(name, Math.max(column - depth * 2, widthOf(name) + 2))
  const inner = lead.length + widthOf(label)
  // No-break spaces keep the marks on the first line when the text wraps.
  const prefix = marks.map(word => word.replaceAll(' ', NO_BREAK)).join(NO_BREAK)
  const [first = '', ...rest] = wrap(
    prefix ? `${prefix}${NO_BREAK}${NO_BREAK}${text}` : text,
    width - inner,
  )
  const styled =
    marks.map(word => mark(word, style)).join(' ') +
    first.slice(prefix.length).replaceAll(NO_BREAK, ' ')
  const detailWidth = Math.max(0, ...details.map(d => widthOf(d.label))) + 2
  return [
    `${lead}${column === 0 ? style('dim', label) : style('cyan', label)}${styled}`.trimEnd(),
    ...indent(rest, inner),
    ...indent(
      details.flatMap(d => labelled(d, detailWidth, width - inner, style)),
      inner,
    ),
  ]
}

/** A table; when it does not fit, the widest columns wrap. */
function rows({ columns, rows: body }: Table, style: Style): string[] {
  const natural = columns.map((name, i) =>
    Math.max(widthOf(name), ...body.map(row => widthOf(row[i] ?? ''))),
  )
  const widths = narrow(natural, textWidth() - 2 - (columns.length - 1) * 2)
  const line = (cells: readonly string[], paint: (cell: string) => string) =>
    cells
      .map((cell, i) => paint(i === cells.length - 1 ? cell : pad(cell, widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  const lines = [line(columns, heading => style('dim', heading))]
  for (const row of body) {
    const cells = row.map((cell, i) => wrap(cell, widths[i] ?? 0))
    const height = Math.max(...cells.map(cell => cell.length))
    for (let i = 0; i < height; i++)
      lines.push(
        line(
          cells.map(cell => cell[i] ?? ''),
          cell => coloured(cell, style),
        ),
      )
  }
  return indent(lines, 2)
}

const NARROWEST = 12

/** Narrows the widest columns until all fit, down to `NARROWEST`; the first column names the row and is kept. */
function narrow(natural: readonly number[], room: number): number[] {
  const widths = [...natural]
  for (let over = widths.reduce((a, b) => a + b, 0) - room; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths.slice(1)), 1)
    if ((widths[widest] ?? 0) <= NARROWEST) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function coloured(cell: string, style: Style): string {
  const word = cell.trim()
  const color = Object.hasOwn(COLORS, word) ? COLORS[word] : undefined
  return color ? style(color, cell) : cell
}

/** The fields that are not shown because the contract does not define them. */
function leftOut({ notShown = [] }: ViewForPeople, style: Style): string[] {
  const places = notShown.map(pointer => pointer.slice(1).split('/'))
  const names = [...new Set(places.map(keys => keys.map(keyAsShown).join('.')))]
  if (names.length === 0) return []
  const more = names.length - MOST_NAMED
  const fields = listed([...names.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])])
  const line = `not shown: ${fields}; not defined by the contract`
  return ['', ...wrap(line, textWidth()).map(row => style('dim', row))]
}

const MOST_NAMED = 12

function keyAsShown(key: string): string {
  const name = spelled(key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const short = name.length > LONGEST_ID ? `${name.slice(0, LONGEST_ID)}…` : name
  return /^[\p{L}\p{N}_*-]+$/u.test(name) ? short : `'${short}'`
}

/** The frames of `check`, then the verdict. */
function wrong(view: ViewForPeople, style: Style, app: App): string[] {
  const { diagnostics, accepted, suppressed } = view
  const file = shown(fileOf(view.path, app), app)
  const frames = diagnostics
    .filter(d => d.severity !== 'info')
    .flatMap(d => [frame(file, d, style), ''])
  const asides = [...infos(diagnostics, file, style), ...excused(suppressed, file, style)]
  const color = accepted ? 'green' : 'red'
  const { notRun } = view
  const note = notRun.length > 0 ? style('dim', ` (${counted(notRun.length, 'rule')} not run)`) : ''
  return [...frames, ...asides, `${verdict(accepted, style)} ${style(color, summed(view))}${note}`]
}

function summed({ accepted, diagnostics, suppressed }: ViewForPeople): string {
  const count = (severity: string) => diagnostics.filter(d => d.severity === severity).length
  const warnings = counted(count('warning'), 'warning')
  const found = suppressed.length > 0 ? [`${counted(suppressed.length, 'fault')} excused`] : []
  if (!accepted)
    return `rejected: ${[counted(count('error'), 'error'), warnings, ...found].join(', ')}`
  if (count('warning') > 0) found.unshift(`with ${warnings}`)
  if (diagnostics.length === 0 && found.length === 0) return 'accepted, no problems'
  return ['accepted', ...found].join(', ')
}

function verdict(accepted: boolean, style: Style): string {
  return accepted ? style('green', '✓') : style('red', '✗')
}

/** The path relative to the working directory. */
function shown(path: string, { cwd, root }: App): string {
  if (path === '-' || path.startsWith('-#')) return path.replace('-', 'standard input')
  return spelled(relative(cwd, resolve(root, path)) || path)
}
