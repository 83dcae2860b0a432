import { relative, resolve } from 'node:path'
import { counted, shellWord, spelled } from '../../contract/index.ts'
import { conflictInWords, countedByKind } from '../../operations/in-force/report.ts'
import type { NewForPeople } from '../../operations/new/for-people.ts'
import { createForPeople } from '../../operations/new.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { frame } from './frame.ts'
import { hang, pad, textWidth, widthOf } from './layout.ts'

/** Adds the source lines that the frames show. */
export const forPeople = createForPeople

/** The document for a dry run; else what was filled in and written, or what is wrong and missing. */
export function text(output: NewForPeople, style: Style, app: App, quiet: boolean): string {
  const { dryRun, text: document, accepted, created, draft } = output
  if (dryRun && document !== null) return document
  const sections = [
    ...(accepted || draft ? [] : [frames(output, style)]),
    ...(quiet ? [] : [known(output, style), carried(output, style)]),
    missing(output, style),
    // Quiet output keeps the notes where a new chain starts.
    ...(quiet && output.predecessor !== null ? [] : [notes(output, style)]),
    created ? written(output, style, app) : refused(output, style),
    ...(quiet || !created ? [] : [held(output, style)]),
  ]
  return sections
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')
}

/** Missing fields have their own list, so their diagnostics are left out. */
function frames({ diagnostics, missing, path }: NewForPeople, style: Style): string[] {
  const absent = new Set(missing.map(m => m.field))
  const shown = diagnostics.filter(
    ({ severity, code, path: pointer, message }) =>
      severity !== 'info' &&
      !(code === 'schema/required' && absent.has(pointer.replace(/^\/frontmatter\//, ''))) &&
      !(code === 'schema/required' && missing.some(m => m.field.startsWith(pointer))) &&
      !(
        /\/(?:required-sections|sections-not-empty)$/.test(code) &&
        missing.some(m => message.includes(m.field))
      ),
  )
  return shown.map(d => frame(spelled(path), d, style))
}

function known({ known: parts }: NewForPeople, style: Style): string[] {
  return table(
    'Filled in',
    parts.map(({ field, value, from }) => [field, shortened(value), from]),
    style,
  )
}

const LONGEST = 48

function shortened(text: string): string {
  const line = spelled(text.replace(/\s+/g, ' '))
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

function table(title: string, rows: readonly (readonly string[])[], style: Style): string[] {
  const width = (i: number) => Math.max(0, ...rows.map(row => widthOf(row[i] ?? '')))
  const [first, second] = [width(0), width(1)]
  const lines = rows.map(
    ([a = '', b = '', c = '']) =>
      `  ${style('dim', pad(a, first))}  ${pad(b, second)}  ${style('dim', c)}`,
  )
  return lines.length > 0 ? [style('bold', title), ...lines] : []
}

const COLORS = { kept: 'yellow', done: 'green', superseded: 'dim' } as const

function carried({ carried: items, predecessor }: NewForPeople, style: Style): string[] {
  if (predecessor === null) return []
  const title = `${style('bold', 'Carried over')} ${style('dim', `from ${spelled(predecessor)}`)}`
  if (items.length === 0) return [title, '  no open items']
  const lines = items.flatMap(({ number, text: item, outcome, why }) => {
    const label = `  ${pad(String(number), 3)} ${pad(outcome, 10)}  `
    const [head = '', ...rest] = hang(
      label,
      widthOf(label),
      spelled(item.replace(/\s+/g, ' ')),
      textWidth(),
    )
    return [
      head.replace(outcome, style(COLORS[outcome], outcome)),
      ...rest,
      `${' '.repeat(widthOf(label))}${style('dim', spelled(why))}`,
    ]
  })
  return [title, ...lines]
}

function missing({ missing: parts, draft }: NewForPeople, style: Style): string[] {
  if (parts.length === 0) return []
  const width = Math.max(...parts.map(part => widthOf(part.field)))
  const lines = parts.flatMap(({ field, what, example, choices }) => {
    const more = choices ? ` One of ${choices.join(', ')}.` : example ? ` Like ${example}` : ''
    const label = `  ${pad(spelled(field), width)}  `
    return hang(label, widthOf(label), `${spelled(what)}${spelled(more)}`, textWidth())
  })
  return [style('bold', draft ? 'To do' : 'Missing'), ...lines]
}

function notes({ notes: texts }: NewForPeople, style: Style): string[] {
  return texts.map(note => `${style('yellow', 'note')}  ${spelled(note)}`)
}

/** What holds now, and what contradicts. */
function held({ inForce, conflicts, predecessor }: NewForPeople, style: Style): string[] {
  if (inForce.length === 0 && predecessor === null) return []
  return [
    ...conflicts.map(
      one => `${style('yellow', 'contradiction')}  ${conflictInWords(one, spelled)}`,
    ),
    style('dim', `in force: ${countedByKind(inForce.map(({ kind }) => kind))}`),
  ]
}

function written(output: NewForPeople, style: Style, app: App): string[] {
  const { contract, draft, diagnostics } = output
  const path = nameOf(output.path, app)
  const lines = [
    `${style('green', '✓')} wrote ${style('cyan', path)}${style('dim', `  ${contract}`)}`,
  ]
  const warnings = diagnostics.filter(d => d.severity === 'warning')
  if (draft) {
    const errors = diagnostics.filter(d => d.severity === 'error').length
    if (errors > 0) lines.push(`  a draft with ${counted(errors, 'error')}: cannot be resumed yet`)
    lines.push(
      style(
        'dim',
        `  when filled in, run: waybill new ${contract} --from ${shellWord(relative(app.cwd, resolve(app.root, output.path)) || path)}`,
      ),
    )
  } else if (warnings.length > 0)
    lines.push(...warnings.map(d => `  ${style('yellow', 'warning')} ${d.message}`))
  return lines
}

function refused({ contract, path, missing: parts }: NewForPeople, style: Style): string[] {
  const lines = [`${style('red', '✗')} ${spelled(path)} ${style('red', 'was not written')}`]
  if (parts.length > 0)
    lines.push(
      style(
        'dim',
        `  provide the missing fields with --from <file>, or write a skeleton: waybill new ${contract} --draft`,
      ),
    )
  return lines
}

/** The path relative to the working directory. */
function nameOf(path: string, { cwd, root }: App): string {
  return spelled(relative(cwd, resolve(root, path)) || path)
}
