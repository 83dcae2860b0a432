import { spelled } from '../../contract/index.ts'
import type { ListedEntryOutput } from '../../operations/log/output.ts'
import type { Style } from '../parse.ts'
import { pad, widthOf } from './layout.ts'

type Row = readonly [index: string, at: string, kind: string, who: string, rest: string]

/** A table of entries, newest last. */
export function table(entries: readonly ListedEntryOutput[], style: Style): string[] {
  const rows = entries.map(rowOf)
  const widths = [0, 1, 2, 3].map(column =>
    Math.max(0, ...rows.map(row => widthOf(row[column] ?? ''))),
  )
  return rows.map((row, at) => {
    const entry = entries[at]
    return entry ? line(row, entry, widths, style) : ''
  })
}

/** One streamed entry, in columns that fit most entries. */
export function single(entry: ListedEntryOutput, style: Style): string {
  return line(rowOf(entry), entry, USUAL_WIDTHS, style)
}

const USUAL_WIDTHS = [5, 19, 19, 0]

function line(row: Row, entry: ListedEntryOutput, widths: readonly number[], style: Style): string {
  const [index, at, kind, who, rest] = row
  const [first = 0, ...others] = widths
  const columns = [at, kind, who].map((cell, i) => pad(cell, others[i] ?? 0))
  const color = colorOf(entry)
  const [time = '', what = '', party = ''] = columns
  return [
    style('dim', index.padStart(first)),
    time,
    color ? style(color, what) : what,
    party,
    entry.state === 'kept' ? rest : style('dim', rest),
  ]
    .join('  ')
    .trimEnd()
}

function rowOf(entry: ListedEntryOutput): Row {
  const { index, at, kind, state, codes, note } = entry
  const time = at === null ? '-' : at.slice(0, 19).replace('T', ' ')
  const what = state === 'kept' || state === 'erased' ? (kind ?? '-') : state
  const rest = [...(note === null ? [] : [note]), ...codes].join(', ')
  return [String(index), spelled(time), spelled(what), spelled(whoOf(entry)), spelled(rest)]
}

/** Sender and receiver, or the agents concerned, or who stated it. */
export function whoOf({ from, to, agents, by, standing, state }: ListedEntryOutput): string {
  if (from !== null || to !== null) return `${from ?? '?'} → ${to ?? '?'}`
  const who = agents.join(', ')
  // The person who erased an entry was no party to it.
  if (by === null || state === 'erased') return who
  const stated = standing === null ? `by ${by}` : `by ${by} (${standing})`
  return who === '' ? stated : `${who} ${stated}`
}

/** The color of an entry, if any. */
export function colorOf({ kind, state }: ListedEntryOutput) {
  if (state !== 'kept') return state === 'erased' ? 'dim' : 'red'
  switch (kind) {
    case 'handoff-accepted':
      return 'green'
    case 'handoff-rejected':
    case 'security-event':
      return 'red'
    case 'handoff-needs-input':
    case 'reconciliation':
    case 'erasure':
      return 'yellow'
    default:
      return undefined
  }
}
