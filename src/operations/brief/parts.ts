import type { HouseHeadings } from '../../contracts/index.ts'
import type { StatementInForce } from '../../session/index.ts'
import type { Item, Line, Section, View } from '../show/output.ts'
import type { BriefSource } from './output.ts'
import { type Role, roleOf, roleOfFacts, roleOfFinding } from './roles.ts'

/** A document that a brief quotes, with its age in words. */
export interface QuotedSource extends BriefSource {
  readonly age?: string
}

/** Entries of one document under one heading. */
export interface Part {
  /** Index of its document. */
  readonly source: number
  readonly role: Role
  /** Empty when the role says enough. */
  readonly title: string
  readonly entries: readonly string[]
  /** The statements that the entries quote, in the same order. */
  readonly statements?: readonly StatementInForce[]
}

/** Splits a document into parts whose entries can each be left out. */
export function partsOf(view: View, source: number, headings?: HouseHeadings): Part[] {
  const contract = view.contract ?? ''
  const part = (role: Role, title: string, entries: readonly string[]) => ({
    source,
    role,
    title,
    entries,
  })
  const facts = part(
    roleOfFacts(contract),
    [view.title, view.id].filter(Boolean).join(' '),
    view.facts.map(line),
  )
  const parts = view.sections.flatMap(section => {
    const entries = entriesOf(section)
    if (contract === 'session-context' && section.title === 'Findings') {
      return (['decisions', 'rest'] as const).map(role => {
        const items = (section.items ?? []).filter(item => roleOfFinding(item) === role)
        return part(role, section.title, items.map(entry))
      })
    }
    const role = roleOf(contract, section.title, entries.length === 0, headings)
    if (entries.length === 0) return [part(role, section.title, [''])]
    const open = role === 'next' || role === 'blockers' ? entries.filter(isOpen) : entries
    return [part(role, section.title, open)]
  })
  return [facts, ...parts].filter(({ entries }) => entries.length > 0)
}

/** A ticked item without open items below it is done. */
function isOpen(entry: string): boolean {
  return !TICKED.test(entry) || /\[ \]/.test(entry)
}

const TICKED = /^ {0,3}(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\[[xX]\]/

function entriesOf({ items, text, table }: Section): string[] {
  if (items) return items.map(entry)
  if (table)
    return table.rows.map(row => row.map((cell, i) => labelled(table.columns[i], cell)).join('; '))
  return splitText(text ?? '')
}

function labelled(column: string | undefined, cell: string): string {
  return `${(column ?? '').toLowerCase()} ${cell}`
}

function line({ label, value }: Line): string {
  return `${label}: ${value}`
}

function entry({ id, marks = [], text, details = [], depth = 0 }: Item): string {
  const indent = '  '.repeat(depth)
  const mark = marks.length > 0 ? `[${marks.join(', ')}]` : ''
  const head = [id && `${id}:`, mark, text].filter(Boolean).join(' ')
  return [`${indent}- ${head}`, ...details.map(detail => `${indent}  ${line(detail)}`)].join('\n')
}

const ITEM = /^( {0,3})([-*+]|[0-9]{1,9}[.)])([ \t]+)/
/** A fence may open inside an item. */
const FENCE = /^[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?(`{3,}(?![^`]*`)|~{3,})/
const LEAST_INDENT = 4

/** Splits Markdown into items and paragraphs; nested items and fenced blocks stay with their item. */
export function splitText(text: string): string[] {
  const entries: string[][] = []
  let fence = ''
  let blank = true
  // An item at or beyond this column is nested in the item above.
  let column = LEAST_INDENT
  for (const row of text.split('\n')) {
    const begun = fence === '' ? beginsAt(row, column, blank) : undefined
    column = begun ?? column
    blank = fence === '' && row.trim() === ''
    if (begun !== undefined || entries.length === 0) entries.push([])
    if (!blank) entries.at(-1)?.push(row)
    fence = fenceAfter(fence, row)
  }
  return entries.map(rows => rows.join('\n').trimEnd()).filter(entry => entry !== '')
}

/** Returns the text column of the item or paragraph that a row starts; undefined where the row continues one. */
function beginsAt(row: string, column: number, blank: boolean): number | undefined {
  const item = ITEM.exec(row)
  if (item && (item[1] ?? '').length < column) return columnOf(item)
  return blank && /^\S/.test(row) ? LEAST_INDENT : undefined
}

/** Returns the text column of an item; text indented further than that is code, one column after the mark. */
function columnOf([, indent = '', mark = '', gap = '']: RegExpExecArray): number {
  return indent.length + mark.length + (gap.length > LEAST_INDENT ? 1 : gap.length)
}

/** Returns the fence that is open after a row. */
function fenceAfter(open: string, row: string): string {
  const mark = FENCE.exec(row)?.[1] ?? ''
  if (open === '') return mark
  return mark.startsWith(open) && row.trim() === mark ? '' : open
}
