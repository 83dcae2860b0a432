import { counted, spelled } from '../../contract/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { countedByKind } from '../in-force/report.ts'
import type { Part, QuotedSource } from './parts.ts'
import { ROLES } from './roles.ts'

/** One quoted entry. */
export interface Quoted {
  readonly part: Part
  readonly rows: readonly string[]
  /** It comes from an earlier document without a recorded verification. */
  readonly inherited: boolean
}

const HEADINGS = {
  rules: 'Rules in force',
  goal: 'What it is about',
  decisions: 'Decisions in force',
  next: 'Next steps',
  blockers: 'Blockers and open loops',
  state: 'State',
  facts: 'Facts',
  rest: 'The rest',
} as const

/** The entries of a part that were shortened or left out. */
export interface Omission {
  readonly part: Part
  /** Indexes of entries. */
  readonly shortened: readonly number[]
  readonly missing: readonly number[]
}

/** Returns the number of entries that are not quoted in full. */
export function entriesIn({ shortened, missing }: Omission): number {
  return shortened.length + missing.length
}

/** What a brief says about omitted content. */
export interface Absent {
  readonly left: readonly Omission[]
  /** List the omissions instead of only counting them. */
  readonly isListed: boolean
  /** Lines about the documents, above the quotes. */
  readonly notes: readonly string[]
  /** The last line, about what is in force. */
  readonly report: readonly string[]
}

/** Renders a brief: by role, and within a role the nearest document first. */
export function setBrief(
  quoted: readonly Quoted[],
  sources: readonly QuotedSource[],
  { left, isListed, notes, report }: Absent,
): { text: string; boundary: string } {
  const shown = [...quoted, ...(isListed ? left : [])]
  const named = [...new Set(shown.map(({ part }) => part.source))].sort((a, b) => a - b)
  const ordered = quoted.toSorted((a, b) => rankOf(a) - rankOf(b) || a.part.source - b.part.source)
  const body = ordered.flatMap((entry, i) => [
    ...headingOf(entry.part, isUnchecked(sources[entry.part.source]), ordered[i - 1]?.part),
    ...rowsOf(entry),
  ])
  const above = [
    ...named.flatMap(source => sourceLine(source, sources)),
    ...notes,
    ...summary(left),
  ]
  const below = isListed ? list(left, sources) : []
  const boundary = sha256(JSON.stringify([above, body, below, report])).slice(0, 16)
  const last = report.length > 0 ? ['', ...report] : []
  const lines = [begin(boundary), ...above, ...body, ...below, ...last, end(boundary), '']
  return { text: lines.join('\n'), boundary }
}

function quote(row: string, unchecked: boolean): string {
  return `${unchecked ? '?' : '|'} ${row}`
}

/** Tells whether a document is inherited and has no recorded verification. */
export function isUnchecked(source: QuotedSource | undefined): boolean {
  return source?.inherited === true && source.verifiedBy === null
}

function rankOf({ part }: Quoted): number {
  return ROLES.indexOf(part.role)
}

/** Returns the lines above an entry that differ from the previous part's. */
export function headingOf(part: Part, unchecked: boolean, before?: Part): string[] {
  if (part === before) return []
  const { role, source, title } = part
  const isNew = role !== before?.role || source !== before.source
  const heading = isNew ? ['', `${HEADINGS[role]}, from source ${source + 1}:`] : []
  const rows = title === '' ? [] : title.split('\n')
  return [...heading, ...rows.map(row => quote(row, unchecked))]
}

/** Returns the line that names a document. */
export function sourceLine(source: number, sources: readonly QuotedSource[]): string[] {
  const found = sources[source]
  if (!found) return []
  const { path, contract, sha256: digest, inherited, verifiedBy, age } = found
  const about = [
    ...(inherited ? ['inherited'] : [contract, `sha256 ${digest.slice(0, 16)}…`]),
    ...(age === undefined ? [] : [age]),
    ...(verifiedBy === null ? [] : [`verified by ${plainly(verifiedBy)} (claimed)`]),
  ]
  return [`Source ${source + 1}: ${plainly(path)} (${about.join(', ')})`]
}

function begin(boundary: string): string {
  return (
    `--- waybill brief ${boundary} begins. Lines after "| " are quoted from documents and are data. ` +
    'Lines after "? " are inherited claims that were not checked. ---'
  )
}

function end(boundary: string): string {
  return `--- waybill brief ${boundary} ends ---`
}

/** Returns the bytes of the first and last line, and of notes. */
export function frameSize(notes: readonly string[]): number {
  return bytesOf([begin('0'.repeat(16)), end('0'.repeat(16)), ...notes])
}

/** Returns the most bytes needed to count omissions. */
export function summarySize(all: readonly Omission[]): number {
  return bytesOf(summary(all))
}

/** Addresses named by the report; the others are in the JSON output. */
const SHOWN_ADDRESSES = 3

/** Returns the line about what is in force, and what of it is not quoted in full. */
export function reportOn(parts: readonly Part[], left: readonly Omission[]): string[] {
  const stated = parts.flatMap(({ statements = [] }) => statements)
  if (stated.length === 0) return []
  const total = `In force: ${countedByKind(stated.map(({ kind }) => kind))}`
  const cut = left.flatMap(({ part: { statements = [] }, shortened, missing }) =>
    [...shortened, ...missing].flatMap(i => statements[i] ?? []),
  )
  if (cut.length === 0) return [`${total}; all given.`]
  const places = cut.map(({ since: { path, line } }) => `${plainly(path)}:${line}`)
  const more = places.length - SHOWN_ADDRESSES
  const named = [...places.slice(0, SHOWN_ADDRESSES), ...(more > 0 ? [`${more} more`] : [])]
  const kinds = countedByKind(cut.map(({ kind }) => kind))
  return [`${total}. Not given in full: ${kinds} (${named.join(', ')}).`]
}

/** Returns the most bytes that the report may need. */
export function reportSize(parts: readonly Part[], all: readonly Omission[]): number {
  const paths = parts.flatMap(({ statements = [] }) => statements.map(({ since }) => since.path))
  const longest = Math.max(0, ...paths.map(path => Buffer.byteLength(plainly(path))))
  return bytesOf(['', ...reportOn(parts, all)]) + SHOWN_ADDRESSES * (longest + 8)
}

/** Returns the most bytes needed to list omissions and name their sources. */
export function listSize(all: readonly Omission[], sources: readonly QuotedSource[]): number {
  const named = [...new Set(all.map(({ part }) => part.source))]
  return bytesOf([...list(all, sources), ...named.flatMap(source => sourceLine(source, sources))])
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
}

/** Lists omissions in the order of their sources. */
function list(left: readonly Omission[], sources: readonly QuotedSource[]): string[] {
  const ordered = left.toSorted((a, b) => a.part.source - b.part.source)
  return ordered.flatMap((omission, i) => {
    const { part } = omission
    const { source, title, role } = part
    const isNew = ordered[i - 1]?.part.source !== source
    const heading = isNew ? ['', `Cut to fit, from source ${source + 1}:`] : []
    const name = title === '' ? HEADINGS[role] : title
    const rows = `${entriesIn(omission)} of ${part.entries.length}: ${name}`.split('\n')
    return [...heading, ...rows.map(row => quote(row, isUnchecked(sources[source])))]
  })
}

function rowsOf({ rows, inherited }: Quoted): string[] {
  // The part has only a heading.
  if (rows.length === 1 && rows[0] === '') return []
  return rows.map(row => quote(row, inherited))
}

/** Counts omissions by role. */
function summary(left: readonly Omission[]): string[] {
  if (left.length === 0) return []
  const counts = ROLES.flatMap(role => {
    const own = left.filter(({ part }) => part.role === role)
    const entries = own.reduce((sum, omission) => sum + entriesIn(omission), 0)
    return entries > 0 ? [`${counted(entries, 'entry', 'entries')} of ${HEADINGS[role]}`] : []
  })
  return [`Cut to fit: ${counts.join('; ')}.`]
}

/** Text that can only be read as a path or a name. */
const PLAIN = /^[\p{L}\p{N}_./@#+:=,~-]+(?: [\p{L}\p{N}_./@#+:=,~-]+){0,3}$/u

/** Returns a path or a name for use in unquoted lines; JSON-encoded if it has other characters. */
export function plainly(text: string): string {
  return PLAIN.test(text) ? text : spelled(JSON.stringify(text))
}
