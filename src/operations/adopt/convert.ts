import { posix } from 'node:path'
import type { Fields } from '../../contract/index.ts'
import {
  FRONTMATTER_KEYS,
  type HandoffPart,
  type HouseHeadings,
  handoffFileNameOf,
  instantOfHandoffName,
  NOTE,
  offsetsWithin,
  predecessorPlaces,
  REQUIRED_PARTS,
  USUAL_HEADINGS,
} from '../../contracts/index.ts'
import { type Document, formatInstant, parseInstant } from '../../document/index.ts'
import { handoffName, handoffText, slugOf } from '../../session/index.ts'
import { type AdoptedHeading, readHeadings } from './headings.ts'

/** A file in another shape. */
export interface Original {
  /** From the root. */
  readonly path: string
  readonly document: Document
  /** When the file was last changed, in milliseconds since the epoch. */
  readonly modified: number
  readonly headings: HouseHeadings | undefined
  /** Whether a file exists at a path from the root. */
  exists(path: string): boolean
}

/** A required part that the original has no heading for. */
export interface AddedPart {
  readonly title: string
  readonly text: string
  /** Only a person can write it. */
  readonly missing: boolean
}

/** The note that an original becomes. */
export interface Converted {
  /** From the root. */
  readonly path: string
  readonly text: string
  readonly headings: readonly AdoptedHeading[]
  readonly added: readonly AddedPart[]
  readonly parts: ReadonlySet<HandoffPart>
  readonly notes: readonly string[]
}

/** Makes a handoff note of a text in another shape, and keeps all of the text. */
export function convert(original: Original): Converted {
  const { document, path } = original
  const { text, markdown } = document
  if (!markdown) throw new Error(`${path} is not Markdown`)
  const headings = readHeadings(text, markdown, original.headings)
  const parts = new Set(headings.flatMap(({ part }) => part ?? []))
  const stated = metadataIn(text.slice(markdown.body.start))
  const status = parts.has('state') ? undefined : introductionAt(document, headings)
  if (status !== undefined) parts.add('state')
  const added = partsToAdd(parts, path)
  const body = withReplacements(document, headings, status)
  const notes: string[] = []
  const fields = frontmatterOf(original, stated, notes)
  const time = parseInstant(fields.timestamp) ?? original.modified
  const title = headings.find(({ how }) => how === 'kept')?.title ?? ''
  const content = {
    frontmatter: fields,
    preamble: [
      body,
      ...added.map(part => `## ${part.title}\n\n${part.text}`),
      ...unreadableFrontmatter(document),
    ].join('\n\n'),
    sections: [],
  }
  return {
    path: posix.join(folderFor(path), handoffName(time, slugFor(title, path))),
    text: handoffText(content),
    ...{ headings, added, parts, notes },
  }
}

/** Next to the original. */
function folderFor(path: string): string {
  const folder = posix.dirname(path)
  return /(?:^|\/)handoffs(?:\/|$)/.test(folder) ? folder : posix.join(folder, 'handoffs')
}

function slugFor(title: string, path: string): string {
  const name = handoffFileNameOf(path).replace(/\.[a-z]+$/i, '')
  const words = (text: string) => slugOf(text.replace(/\b(?:session[ _-]?)?hand[ _-]?off\b/gi, ' '))
  return words(name.replace(/^[0-9TZ:_-]*Z?-?/, '')) || words(title)
}

function partsToAdd(parts: ReadonlySet<HandoffPart>, path: string): AddedPart[] {
  return REQUIRED_PARTS.filter(part => !part.parts.some(one => parts.has(one))).map(
    ({ parts: [part], title, purpose }) =>
      part === 'decisions'
        ? {
            title,
            text: `None.\n\n<!-- ${handoffFileNameOf(path)} records none. -->`,
            missing: false,
          }
        : { title, text: `TODO: ${purpose}.`, missing: true },
  )
}

const METADATA = /^[ \t>*_-]*([A-Za-z][A-Za-z ]{0,20}?)[*_]*:[*_]*[ \t]+[*_]*(\S.{0,200}?)[*_ \t]*$/

/** The lines `**Agent:** claude-code` at the top of a text. */
function metadataIn(body: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const line of body.split(/\r\n|\n|\r/).slice(0, 20)) {
    const [, key, value] = METADATA.exec(line) ?? []
    if (key && value && !found.has(key.toLowerCase())) found.set(key.toLowerCase(), value)
  }
  return found
}

/** The offset of prose above the first section, which tells the state where no heading does. */
function introductionAt(
  { text, markdown }: Document,
  headings: readonly AdoptedHeading[],
): number | undefined {
  const first = headings.find(({ part }) => part !== undefined)
  const isAbove = (heading: AdoptedHeading) => heading.part === undefined
  const title = headings[0] && isAbove(headings[0]) ? headings[0] : undefined
  const start = title?.span.end ?? markdown?.body.start ?? 0
  const next = headings.find(({ span }) => span.start >= start)
  const end = Math.min(next?.span.start ?? text.length, first?.span.start ?? text.length)
  const isHidden = offsetsWithin([
    ...(markdown?.comments ?? []),
    ...(markdown?.fences ?? []).map(({ span }) => span),
  ])
  const isProse = [...text.slice(start, end).matchAll(/[^\r\n]+/g)].some(
    ({ 0: line, index }) =>
      !isHidden(start + index) && /[\p{L}\p{N}]/u.test(line) && !METADATA.test(line),
  )
  return isProse ? start : undefined
}

function withReplacements(
  { text, markdown }: Document,
  headings: readonly AdoptedHeading[],
  status: number | undefined,
): string {
  const edits = headings.flatMap(({ span, replacement }) =>
    replacement === undefined ? [] : [{ ...span, replacement }],
  )
  if (status !== undefined)
    edits.push({ start: status, end: status, replacement: `## ${USUAL_HEADINGS.state}` })
  const pieces: string[] = []
  let from = markdown?.body.start ?? 0
  for (const { start, end, replacement } of edits.sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(from, start), replacement)
    from = end
  }
  pieces.push(text.slice(from))
  // Headings stand between blank lines.
  return pieces
    .map(piece =>
      piece
        .replaceAll(/\r\n?/g, '\n')
        .replace(/^(?:[ \t]*\n)+/, '')
        .trimEnd(),
    )
    .filter(piece => piece !== '')
    .join('\n\n')
}

/** A frontmatter that is no YAML, which a note cannot keep as such. */
function unreadableFrontmatter({ markdown, faults }: Document): string[] {
  const yaml = faults.length > 0 ? markdown?.frontmatter?.text.trim() : undefined
  return yaml ? [`## Original Frontmatter\n\n~~~text\n${yaml}\n~~~`] : []
}

/** The frontmatter of the note: what the original states, in the form that the contract demands. */
function frontmatterOf(
  original: Original,
  stated: ReadonlyMap<string, string>,
  notes: string[],
): Fields & { timestamp: string } {
  const { path, document } = original
  const given = fieldsOf((document.value as { frontmatter?: unknown } | undefined)?.frontmatter)
  const others = Object.entries(given).filter(
    ([key]) => !FRONTMATTER_KEYS.includes(key) || key === 'obpi_id',
  )
  const changed: [string, string][] = []
  const change = (key: string, value: unknown, why: string) => {
    changed.push([key, String(value)])
    notes.push(`${key} ${String(value)} is kept under 'original': ${why}`)
  }
  const before = textOf(given.continues_from)
  const follows = before !== undefined && predecessorPlaces(path, before).some(original.exists)
  if (before !== undefined && !follows)
    change('continues_from', before, 'there is no such document')
  const record = textOf(given.adr_id)
  const adr = /^ADR-[0-9]+\.[0-9]+\.[0-9]+(?![0-9.])/i.exec(record ?? '')?.[0].toUpperCase()
  if (record !== undefined && adr !== record) change('adr_id', record, 'it is not the id alone')
  const { agent, branch, session_id: session } = given
  return {
    mode: follows ? 'RESUME' : 'CREATE',
    ...(adr !== undefined && { adr_id: adr }),
    ...said('branch', branch, stated.get('branch')?.replace(/^`|`$/g, '')),
    timestamp: timeOf(original, given.timestamp, stated, notes),
    ...said('agent', agent, stated.get('agent') ?? stated.get('author')),
    ...said('session_id', session, undefined),
    continues_from: follows ? before : '',
    ...Object.fromEntries(others),
    ...(changed.length > 0 && { original: Object.fromEntries(changed) }),
    contract: NOTE,
    adopted_from: path,
  }
}

function said(key: string, given: unknown, stated: string | undefined): Fields {
  const value = textOf(given) ?? stated
  return value === undefined ? {} : { [key]: value }
}

const DATE =
  /([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2})(?::([0-9]{2}))?(?:\.[0-9]+)?(?: ?Z| ?UTC)?)?/

function timeOf(
  { path, modified }: Original,
  given: unknown,
  stated: ReadonlyMap<string, string>,
  notes: string[],
): string {
  const text = textOf(given)
  if (text !== undefined && parseInstant(text) !== undefined) return text
  const named = instantOfHandoffName(path)
  if (named !== undefined) return formatInstant(named)
  const [, date, minutes = '00:00', seconds = '00'] =
    DATE.exec(text ?? stated.get('date') ?? stated.get('updated') ?? '') ?? DATE.exec(path) ?? []
  const dated = date === undefined ? undefined : `${date}T${minutes}:${seconds}Z`
  if (dated !== undefined && parseInstant(dated) !== undefined) return dated
  notes.push('its time is that of the file: correct the timestamp if you know better')
  return formatInstant(Math.floor(modified / 1000) * 1000)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}
