import type { Fields } from '../../contract/index.ts'
import { formatDuration, parseInstant } from '../../document/index.ts'
import type { Item, Line, Section } from './output.ts'

/** The keys of an object; none where it is something else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

/** The entries of a list; a single value where a list was expected is shown as one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null || value === '' ? [] : [value]
}

const LONGEST_VALUE = 2000

/** A value as text on one place: scalars as they are, lists joined, objects as JSON; nothing for what says nothing. */
export function said(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length > 0 && value.every(v => typeof v !== 'object'))
    return value.join(', ')
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (text === '[]' || text === '{}') return undefined
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

/** Labelled values; those that say nothing are left out. */
export function lines(...pairs: readonly (readonly [label: string, value: unknown])[]): Line[] {
  return pairs.flatMap(([label, value]) => {
    const text = said(value)
    return text === undefined ? [] : [{ label, value: text }]
  })
}

/** An entry with what is known of it. */
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

/** A list under its title; nothing where there are no entries. */
export function listSection(title: string, items: readonly Item[]): Section[] {
  return items.length > 0 ? [{ title, items }] : []
}

/** A text under its title; nothing where there is none. */
export function textSection(title: string, value: unknown): Section[] {
  const text = said(value)
  return text === undefined ? [] : [{ title, text }]
}

/** Plain entries under a title. */
export function entriesSection(title: string, value: unknown): Section[] {
  return listSection(
    title,
    listOf(value).map(entry => item({ text: entry })),
  )
}

/** Rows under a title; columns in which no row says anything are left out. */
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

/** A time as it is written, and how far it is from now: `2026-02-11T14:30:00Z, 3 days ago`. */
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
/** Lists that are longer take a line for each entry. */
const LONGEST_ROW = 60

interface Member {
  readonly label: string
  readonly value: unknown
  readonly depth: number
}

/** Any value as an outline: a line for each key and entry, set in by depth. */
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
