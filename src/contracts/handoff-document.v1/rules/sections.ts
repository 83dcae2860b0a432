import { type Context, counted, nearest, quote, type Rules } from '../../../contract/index.ts'
import type { Document, Span } from '../../../document/index.ts'
import type { HandoffFacts } from '../../handoff-facts.ts'
import { countItems } from '../next-steps.ts'
import type { HandoffDocument } from '../schema.ts'
import { NEXT_STEPS, REQUIRED_SECTIONS } from '../sections.ts'

const HEADING = /^[ \t>]*(#{1,6})[ \t]+([^\r\n]*)/gm

/** A line that looks like a heading but is not one: `##Decisions Made`, `**Decisions Made:**`. */
const NO_HEADING = /^ {0,3}(?:#{1,6}|\*\*|__)[^\s#*_][^\r\n]*/gm

const TITLES: ReadonlySet<string> = new Set(REQUIRED_SECTIONS.map(section => section.title))

/** The rules that the seven sections exist once and have content. */
export const sectionRules = {
  'required-sections': {
    severity: 'error',
    summary: 'All seven required sections exist as headings of level 2 with their exact titles.',
    why: 'The next session relies on each of them; a missing one is lost knowledge.',
    reads: ['/sections'],
    *check({ sections }, { document }) {
      const there = new Set(sections.filter(s => s.level === 2).map(s => s.title))
      const missing = REQUIRED_SECTIONS.filter(section => !there.has(section.title))
      if (missing.length === 0) return
      const found = lookalikes(document)
      for (const { title, purpose } of missing) {
        const meant = found.get(title) ?? found.get(nearest(title, found.keys()) ?? '')
        yield {
          path: ['sections'],
          span: meant?.span ?? firstLine(document),
          message: `the section ${quote(title)} is missing`,
          hint: meant ? `${meant.fault}; write '## ${title}'` : `add '## ${title}': ${purpose}`,
        }
      }
    },
  },
  'sections-not-empty': {
    severity: 'error',
    summary:
      'Every required section has content other than comments, blank lines and thematic breaks.',
    why: 'A handoff without content must not pass as complete.',
    reads: ['/sections'],
    *check(value, { document }) {
      for (const { title, purpose } of REQUIRED_SECTIONS) {
        const indexes = indexesOf(value, title)
        const outline = document.markdown
        const blank = (i: number) => {
          const section = outline?.sections[i]
          return section !== undefined && outline?.isBlank(section.content)
        }
        const [first] = indexes
        if (first === undefined || !indexes.every(blank)) continue
        yield {
          path: ['sections', first],
          message: `the section ${quote(title)} is empty`,
          hint: `write ${purpose}; if there is nothing, state that and why`,
        }
      }
    },
  },
  'no-duplicate-sections': {
    severity: 'warning',
    summary: 'No two sections have the same title.',
    why: 'A reader who finds the first section misses the second.',
    reads: ['/sections'],
    *check({ sections }, { document }) {
      const firsts = new Map<string, { readonly at: number; message?: string }>()
      for (const [i, { title, level }] of sections.entries()) {
        if (level !== 2) continue
        const first = firsts.get(title)
        if (first === undefined) firsts.set(title, { at: i })
        else {
          first.message ??= `the section ${quote(title)} already exists in line ${lineOfSection(document, first.at)}`
          yield {
            path: ['sections', i],
            message: first.message,
            hint: 'merge the two, or rename this one',
          }
        }
      }
    },
  },
  'three-to-five-next-steps': {
    severity: 'warning',
    summary: `'${NEXT_STEPS}' lists three to five actions.`,
    why: 'Fewer leave the next session without a plan; more are a backlog that hides the priorities.',
    reads: ['/sections'],
    *check(value, context) {
      const [first] = indexesOf(value, NEXT_STEPS)
      const steps = first === undefined ? undefined : stepsOf(context, first)
      if (first === undefined || steps === undefined) return
      if (steps >= 3 && steps <= 5) return
      yield {
        path: ['sections', first],
        message: `${quote(NEXT_STEPS)} lists ${steps === 0 ? 'no items' : counted(steps, 'item')}, not 3 to 5`,
        hint: stepsHint(steps),
      }
    },
  },
} satisfies Rules<HandoffDocument, HandoffFacts>

function lineOfSection(document: Document, index: number): number {
  return document.range(document.locate(['sections', index])).start.line + 1
}

function indexesOf({ sections }: HandoffDocument, title: string): number[] {
  const indexes: number[] = []
  sections.forEach((section, i) => {
    if (section.level === 2 && section.title === title) indexes.push(i)
  })
  return indexes
}

/** The number of actions in a section; `undefined` if it is empty, which another rule reports. */
function stepsOf({ document: { markdown, text } }: Context, index: number): number | undefined {
  const content = markdown?.sections[index]?.content
  if (!markdown || !content || markdown.isBlank(content)) return undefined
  const hidden = [...markdown.fences.map(fence => fence.span), ...markdown.comments]
    .filter(span => span.start >= content.start && span.end <= content.end)
    .sort((a, b) => a.start - b.start)
  return countItems(text, content, hidden)
}

function stepsHint(steps: number): string {
  if (steps === 0) return 'write the next actions as a list, the first one first'
  return steps < 3
    ? 'add the actions that follow'
    : "keep the first actions here, and move the rest to 'Pending Work / Open Loops'"
}

interface Lookalike {
  readonly span: Span
  readonly fault: string
}

/** Lines that may be meant as a required section, by title; levels 1 and 2 as parsed, others by their markup. */
function lookalikes(document: Document): Map<string, Lookalike> {
  const found = new Map<string, Lookalike>()
  const { markdown, text } = document
  if (!markdown) return found
  const lineOf = (span: Span) => document.range(span).start.line + 1
  const add = (title: string, span: Span, fault: string) => {
    if (!found.has(title)) found.set(title, { span, fault: `line ${lineOf(span)} ${fault}` })
  }
  const read = new Set<number>()
  for (const { title, level, heading } of markdown.sections) {
    read.add(lineOf(heading))
    if (level === 1) add(title, heading, 'is a heading of level 1')
    else if (!TITLES.has(title)) add(title, heading, `says ${quote(title)}`)
  }
  for (const match of text.slice(markdown.body.start).matchAll(HEADING)) {
    const [whole, marks = '', rest = ''] = match
    const end = markdown.body.start + match.index + whole.length
    const span = { start: end - rest.length - marks.length - 1, end }
    if (read.has(lineOf(span))) continue
    const fault =
      marks.length > 2
        ? `is a heading of level ${marks.length}`
        : 'is in a fence, comment or quote, where headings do not count'
    add(rest.trim(), span, fault)
  }
  for (const { title, line, span } of unmarked(text, markdown.body.start))
    add(title, span, `is not a heading: ${quote(line)}`)
  return found
}

/** Lines with only the title of a required section that are not headings. */
function* unmarked(text: string, from: number) {
  for (const match of text.slice(from).matchAll(NO_HEADING)) {
    const line = match[0].trim()
    // Titles are short, and so is the markup around one.
    const title = line.length > 60 ? '' : line.replace(/^[#*_]+|[*_: \t]+$/g, '')
    const start = from + match.index
    const span = { start, end: start + match[0].trimEnd().length }
    if (TITLES.has(title)) yield { title, line, span }
  }
}

/** The first non-blank line of the body. */
function firstLine({ markdown, text }: Document): Span {
  const from = markdown?.body.start ?? 0
  const body = text.slice(from)
  const start = from + body.length - body.trimStart().length
  if (start === text.length) return { start: from, end: from }
  return { start, end: start + (/[\r\n]/.exec(text.slice(start))?.index ?? text.length - start) }
}
