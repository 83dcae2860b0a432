import type { Fields } from '../../contract/index.ts'
import { formatDuration, parseInstant } from '../../document/index.ts'
import type { Item, Line, Section } from './output.ts'

/** Returns the fields of an object; empty for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

/** Returns the entries of a list; any other value becomes one entry. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null || value === '' ? [] : [value]
}

const LONGEST_VALUE = 2000

/** Formats a value on one line; `undefined` for an empty one. */
export function said(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length > 0 && value.every(v => typeof v !== 'object'))
    return value.join(', ')
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (text === '[]' || text === '{}') return undefined
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

/** Returns labelled values without empty ones. */
export function lines(...pairs: readonly (readonly [label: string, value: unknown])[]): Line[] {
  return pairs.flatMap(([label, value]) => {
    const text = said(value)
    return text === undefined ? [] : [{ label, value: text }]
  })
}

/** Builds a list entry. */
export function item(parts: {
  readonly id?: unknown
  readonly marks?: readonly unknown[]
  readonly text?: unknown
  readonly details?: readonly Line[]
  readonly depth?: number
}): Item {
  const id = said(parts.id)
  const marks = (parts.marks ?? []).flatMap(mark => said(mark) ?? [])
  return {
    ...(id !== undefined && { id }),
    ...(marks.length > 0 && { marks }),
    text: said(parts.text) ?? '',
    ...(parts.details && parts.details.length > 0 && { details: parts.details }),
    ...(parts.depth && { depth: parts.depth }),
  }
}

/** Builds a list section; none without entries. */
export function listSection(title: string, items: readonly Item[]): Section[] {
  return items.length > 0 ? [{ title, items }] : []
}

/** Builds a text section; none without text. */
export function textSection(title: string, value: unknown): Section[] {
  const text = said(value)
  return text === undefined ? [] : [{ title, text }]
}

/** Builds a section of plain entries. */
export function entriesSection(title: string, value: unknown): Section[] {
  return listSection(
    title,
    listOf(value).map(entry => item({ text: entry })),
  )
}

/** Builds a table section without its empty columns. */
export function tableSection(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Section[] {
  if (rows.length === 0) return []
  const cells = rows.map(row => columns.map((_, i) => said(row[i]) ?? ''))
  const used = columns.map((_, i) => cells.some(row => row[i] !== ''))
  const keep = <T>(row: readonly T[]) => row.filter((_, i) => used[i])
  return [{ title, table: { columns: keep(columns), rows: cells.map(keep) } }]
}

/** Formats a time and its distance from now: `2026-02-11T14:30:00Z, 3 days ago`. */
export function when(value: unknown, now: number): string | undefined {
  const text = said(value)
  const time = typeof value === 'string' ? parseInstant(value) : undefined
  if (text === undefined || time === undefined) return text
  if (time === now) return `${text}, now`
  return time < now
    ? `${text}, ${formatDuration(now - time)} ago`
    : `${text}, in ${formatDuration(time - now)}`
}

const MOST_LINES = 200
const DEEPEST = 8
/** Longer lists get one line per entry. */
const LONGEST_ROW = 60

interface Member {
  readonly label: string
  readonly value: unknown
  readonly depth: number
}

/** Formats any value as an outline: one line per key and entry, indented by depth. */
export function outline(value: unknown): Item[] {
  const pending = members(value, 0).reverse()
  if (pending.length === 0) return said(value) === undefined ? [] : [item({ text: value })]
  const found: Item[] = []
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (found.length === MOST_LINES) return [...found, item({ text: '… and more' })]
    const inner = isNested(next) ? members(next.value, next.depth + 1) : []
    for (const member of inner.toReversed()) pending.push(member)
    found.push(outlined(next, inner.length > 0))
  }
  return found
}

function outlined({ label, value, depth }: Member, opened: boolean): Item {
  const text = opened ? '' : (said(value) ?? emptyWord(value))
  return { ...(label && { id: label }), text, ...(depth > 0 && { depth }) }
}

function isNested({ value, depth }: Member): boolean {
  if (depth >= DEEPEST || typeof value !== 'object' || value === null) return false
  if (!Array.isArray(value)) return true
  return value.some(entry => typeof entry === 'object') || value.join(', ').length > LONGEST_ROW
}

function members(
  value: unknown,
  depth: number,
): { label: string; value: unknown; depth: number }[] {
  const entries = Array.isArray(value)
    ? value.map(entry => ['-', entry] as const)
    : Object.entries(fieldsOf(value))
  return entries.slice(0, MOST_LINES + 1).map(([label, inner]) => ({ label, value: inner, depth }))
}

function emptyWord(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'none' : ''
}
