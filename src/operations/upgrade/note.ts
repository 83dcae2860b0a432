import { statSync } from 'node:fs'
import { quote } from '../../contract/index.ts'
import {
  CONTEXT,
  DECISIONS,
  EVIDENCE,
  type HandoffPart,
  type HandoffSection,
  instantOfHandoffName,
  NEXT_STEPS,
  noteSections,
  OPEN_LOOPS,
  REQUIRED_SECTIONS,
  STANDING_RULES,
} from '../../contracts/index.ts'
import { type Document, formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { handoffText } from '../../session/index.ts'
import { type Config, currentBranch, userName } from '../../workspace/index.ts'
import type { Source } from '../check/source.ts'
import type { App } from '../operation.ts'

/** What a handoff document needs beyond a note. */
export interface DocumentWish {
  readonly adr: string
  readonly agent: string | undefined
}

const RECORD = /^ADR-[0-9]+\.[0-9]+\.[0-9]+$/

/** Requires the id of a decision record. @throws {WaybillError} 'usage' */
export function mustBeRecord(adr: string): void {
  if (RECORD.test(adr)) return
  throw new WaybillError('usage', `${quote(adr)} is not the id of a decision record`, {
    hint: 'write it like ADR-0.0.25',
  })
}

const TITLES: Readonly<Record<Exclude<HandoffPart, 'rules'>, string>> = {
  state: 'Current State Summary',
  context: CONTEXT,
  decisions: DECISIONS,
  next: NEXT_STEPS,
  open: OPEN_LOOPS,
  checklist: 'Verification Checklist',
  evidence: EVIDENCE,
}

/** Writes a handoff note as a handoff document of a decision record; all of its text is kept. */
export function documentFromNote(
  source: Source,
  document: Document,
  { adr, agent }: DocumentWish,
  config: Config,
  app: App,
): string {
  const { frontmatter = {} } = document.value as { frontmatter?: Record<string, unknown> }
  const { contract: _, ...given } = frontmatter
  const said = (key: string) => {
    const value = given[key]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const known = {
    mode: said('mode') ?? (said('continues_from') === undefined ? 'CREATE' : 'RESUME'),
    adr_id: adr,
    branch: said('branch') ?? currentBranch(app.root) ?? '',
    timestamp: said('timestamp') ?? timeOf(source),
    agent: said('agent') ?? agent ?? userName(app.root),
    ...(said('session_id') !== undefined && { session_id: said('session_id') }),
    ...(said('obpi_id') !== undefined && { obpi_id: said('obpi_id') }),
    ...(said('continues_from') !== undefined && { continues_from: said('continues_from') }),
  }
  const others = Object.entries(given).filter(
    ([key]) => !Object.hasOwn(known, key) && !EMPTY.has(key),
  )
  const { above, sections, below } = partsOf(document, config)
  const written = REQUIRED_SECTIONS.map(
    ({ title }) => `## ${title}\n\n${sections.get(title) ?? 'None: the note has none.'}`,
  )
  return handoffText({
    frontmatter: known,
    preamble: [above, ...written, below, ...keysAsText(others)].filter(Boolean).join('\n\n'),
    sections: [],
  })
}

/** Keys of a handoff document that may be left out when they are empty. */
const EMPTY: ReadonlySet<string> = new Set(['session_id', 'continues_from', 'obpi_id'])

/** A handoff document may have no other keys. */
function keysAsText(others: readonly (readonly [string, unknown])[]): string[] {
  if (others.length === 0) return []
  const lines = others.map(([key, value]) => `- ${key}: ${JSON.stringify(value)}`)
  return [`## Other Keys of the Note\n\n${lines.join('\n')}`]
}

function timeOf({ file, path }: Source): string {
  const named = instantOfHandoffName(path)
  return formatInstant(named ?? Math.floor(statSync(file).mtimeMs / 1000) * 1000)
}

interface NoteParts {
  /** What is above the first section. */
  readonly above: string
  /** By the title in a handoff document. */
  readonly sections: ReadonlyMap<string, string>
  /** What belongs to no section. */
  readonly below: string
}

function partsOf({ text, markdown }: Document, { headings }: Config): NoteParts {
  const sections = new Map<string, string>()
  const between: string[] = []
  let from = markdown?.body.start ?? 0
  for (const section of markdown ? noteSections(markdown, headings) : []) {
    const { heading, content } = section
    const isFurther = heading.start < from
    between.push(clean(text.slice(from, isFurther ? content.start : heading.start)))
    addTo(sections, section, text.slice(content.start, content.end), isFurther)
    from = content.end
  }
  between.push(clean(text.slice(from)))
  for (const [title, body] of sections) if (body === '') sections.delete(title)
  const [above = '', ...rest] = between
  const below = rest.filter(piece => piece !== '').map(piece => demoted(piece, 2))
  return { above, sections, below: below.join('\n\n') }
}

/** Adds the text of a section; a second one of its kind keeps its title. */
function addTo(
  sections: Map<string, string>,
  { part, title }: HandoffSection,
  text: string,
  isFurther: boolean,
): void {
  const isRule = part === 'rules'
  const target = TITLES[part === 'rules' ? 'context' : part]
  const before = sections.get(target)
  const heading = isRule ? STANDING_RULES : title
  const body = demoted(clean(text), isRule ? 4 : 3)
  const isTitled = !isFurther && (isRule || before !== undefined)
  const own = isTitled ? `### ${heading}\n\n${body}` : body
  sections.set(target, before ? `${before}\n\n${own}` : own)
}

function clean(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}

/** Lowers headings that would begin a section of their own, outside of code blocks. */
function demoted(text: string, least: number): string {
  let fence: string | undefined
  return text
    .split('\n')
    .map(line => {
      const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
      if (mark && (fence === undefined || mark.startsWith(fence)))
        fence = fence === undefined ? mark : undefined
      if (fence !== undefined || mark) return line
      return line.replace(/^ {0,3}(#{1,6})(?=[ \t])/, (_, marks: string) =>
        '#'.repeat(Math.max(marks.length, least)),
      )
    })
    .join('\n')
}
