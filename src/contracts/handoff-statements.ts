import { countLineEnds, type Markdown, readMarkdown, type Span } from '../document/index.ts'
import { type Block, findBlocks } from './handoff-document.v1/next-steps.ts'
import { itemFrom } from './handoff-document.v1/open-items.ts'
import { CONTEXT, DECISIONS, STANDING_RULES } from './handoff-document.v1/sections.ts'
import type { HandoffSection } from './handoff-outline.ts'
import type { HandoffPart } from './handoff-parts.ts'
import { type HandoffPlace, sectionsOfNote } from './handoff-place.ts'
import { type Statement, type StatementKind, statementFrom } from './statements.ts'

/** A statement with its place in the document. */
export interface PlacedStatement extends Statement {
  /** One-based. */
  readonly line: number
  /** The heading above it, within its section. */
  readonly heading?: string
}

/** A Markdown text that was parsed. */
interface Readable {
  readonly text: string
  readonly markdown: Markdown
  /** The one-based line of an offset. */
  lineAt(offset: number): number
}

/**
 * The rules, decisions and facts of a handoff document or note, in text order.
 *
 * Rules are the items under `### Standing Rules` in `## Important Context`; its other items and paragraphs are facts.
 * Decisions are the items and paragraphs of `## Decisions Made`; under a heading with prose, the heading and its text
 * are one decision. In a note they are under any of the common headings for rules, decisions and context.
 */
export function statementsOf(text: string, place: HandoffPlace = {}): PlacedStatement[] {
  const markdown = readMarkdown(text)
  const document = { text, markdown, lineAt: lineCounter(text) }
  const sections = sectionsOfNote(markdown, place) ?? sectionsOfDocument(markdown)
  return sections.flatMap(({ part, content }) =>
    part === 'rules' || part === 'decisions' || part === 'context'
      ? statementsIn(document, part, content)
      : [],
  )
}

function sectionsOfDocument({ sections }: Markdown): Pick<HandoffSection, 'part' | 'content'>[] {
  return sections.flatMap(({ level, title, content }) => {
    if (level !== 2 || (title !== CONTEXT && title !== DECISIONS)) return []
    return [{ part: title === CONTEXT ? 'context' : 'decisions', content }]
  })
}

/** The statements in the text of one section; lines count from its first one. */
export function statementsInPart(text: string, part: HandoffPart): PlacedStatement[] {
  const document = { text, markdown: readMarkdown(text), lineAt: lineCounter(text) }
  const isStated = part === 'rules' || part === 'decisions' || part === 'context'
  return isStated ? statementsIn(document, part, { start: 0, end: text.length }) : []
}

/** The offset in the text of a section after which standing rules begin; undefined if it has no place for them. */
export function placeForRules(text: string, part: HandoffPart): number | undefined {
  const document = { text, markdown: readMarkdown(text), lineAt: lineCounter(text) }
  const groups = groupsIn(document, { start: 0, end: text.length }, part === 'rules')
  return groups.find(({ areRules }) => areRules)?.start
}

/** Counts lines up to offsets that only grow. */
function lineCounter(text: string): (offset: number) => number {
  let [line, at] = [1, 0]
  return offset => {
    if (offset > at) [line, at] = [line + countLineEnds(text.slice(at, offset)), offset]
    return line
  }
}

const HEADING = /^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/

/** The parts of a handoff that make statements. */
type StatedPart = 'rules' | 'decisions' | 'context'

/** The blocks of a section under one of its headings. */
interface Group {
  readonly heading?: string
  /** They are under `### Standing Rules`. */
  readonly areRules: boolean
  readonly level: number
  /** The offsets of the heading and of what follows it. */
  readonly at: number
  readonly start: number
  readonly blocks: Block[]
}

function statementsIn(document: Readable, part: StatedPart, content: Span): PlacedStatement[] {
  const { text } = document
  const statements: PlacedStatement[] = []
  for (const group of groupsIn(document, content, part === 'rules')) {
    const { heading, areRules, at, blocks } = group
    const add = (kind: StatementKind, markdown: string, offset: number) =>
      statements.push({
        ...statementFrom(kind, markdown),
        line: document.lineAt(offset),
        ...(heading !== undefined && !areRules && { heading }),
      })
    const [first] = blocks
    if (part === 'decisions' && heading !== undefined && first?.kind === 'prose') {
      const whole = text.slice(first.span.start, blocks.at(-1)?.span.end)
      add('decision', `${heading}\n${whole}`, at)
      continue
    }
    for (const [i, block] of blocks.entries()) {
      const next = blocks[i + 1]
      const following = next && text.slice(next.span.start, next.span.end)
      const source = text.slice(block.span.start, block.span.end)
      for (const item of itemFrom(source, block, part, following))
        add(kindOf(part, areRules && block.kind === 'item'), item.text, block.span.start)
    }
  }
  return statements
}

function kindOf(part: StatedPart, isRule: boolean): StatementKind {
  if (part === 'decisions') return 'decision'
  return isRule ? 'rule' : 'fact'
}

/** Groups the blocks of a section by heading; a heading is not part of its group. */
function groupsIn({ text, markdown }: Readable, content: Span, areRules: boolean): Group[] {
  const hidden = [...markdown.fences.map(fence => fence.span), ...markdown.comments]
    .filter(({ start, end }) => start >= content.start && end <= content.end)
    .sort((a, b) => a.start - b.start)
  const { start } = content
  const groups: Group[] = [{ areRules, level: 0, at: start, start, blocks: [] }]
  for (const block of findBlocks(text, content, hidden)) {
    if (markdown.isBlank(block.span)) continue
    const source = text.slice(block.span.start, block.span.end)
    const [heading, rest] = block.kind === 'prose' ? withoutHeading(source) : [undefined, source]
    if (heading) groups.push(groupUnder(heading, block.span.start, groups.at(-1)))
    const start = block.span.end - rest.length
    if (rest !== '') groups.at(-1)?.blocks.push({ ...block, span: { ...block.span, start } })
  }
  return groups
}

/** Splits off the heading that a block begins with. */
function withoutHeading(source: string): [RegExpExecArray | undefined, string] {
  const [line = ''] = /^.*/.exec(source) ?? []
  const heading = HEADING.exec(line)
  return heading ? [heading, source.slice(line.length).trimStart()] : [undefined, source]
}

function groupUnder(
  [line, marks = '', title = '']: RegExpExecArray,
  at: number,
  above: Group | undefined,
): Group {
  const level = marks.length
  const isWithin = above?.areRules === true && level > above.level
  const areRules = isWithin || title.toLowerCase() === STANDING_RULES.toLowerCase()
  return {
    ...{ heading: title, areRules, level: isWithin ? above.level : level },
    ...{ at, start: at + line.length, blocks: [] },
  }
}
