import {
  type HandoffPart,
  type HouseHeadings,
  noteSections,
  offsetsWithin,
  partNear,
  partOf,
  USUAL_HEADINGS,
} from '../../contracts/index.ts'
import type { Heading, Markdown, Span } from '../../document/index.ts'

/** What becomes of a heading of an adopted text. */
export interface AdoptedHeading {
  readonly title: string
  readonly span: Span
  /** The part that it names or now stands below; undefined for any other. */
  readonly part?: HandoffPart
  readonly how: 'common' | 'mapped' | 'kept'
  /** The text that replaces it. */
  readonly replacement?: string
}

/** The deepest level at which a heading begins a section of a note. */
const DEEPEST = 3

/** Parts that headings may be mapped to by their words; others need a common name. */
const GUESSED: ReadonlySet<HandoffPart> = new Set([
  'state',
  'next',
  'open',
  'decisions',
  'rules',
  'context',
])

/**
 * Finds what each heading of a text stands for.
 *
 * A common name counts as it is, also as a line in bold or before a colon. For a part without one, headings count whose
 * words suggest it, outside of the sections with common names.
 */
export function readHeadings(
  text: string,
  markdown: Markdown,
  house: HouseHeadings | undefined,
): AdoptedHeading[] {
  const headings = markdown.headings(6)
  const isTop = ({ level }: Heading) => level <= DEEPEST
  const present = new Set(headings.filter(isTop).map(({ title }) => partOf(title, house)))
  const lines = titleLines(text, markdown).flatMap(({ title, span }): AdoptedHeading[] => {
    const part = partOf(title, house)
    if (!part || present.has(part)) return []
    return [{ title, span, part, how: 'mapped', replacement: `## ${title}` }]
  })
  for (const { part } of lines) present.add(part)
  const sections = noteSections(markdown, house)
  const isInSection = offsetsWithin(sections.map(({ content }) => content))
  const [first, second] = headings
  const found = headings.map((heading): AdoptedHeading => {
    const { level, title, heading: span } = heading
    const part = partOf(title, house)
    if (part && isTop(heading)) return { title, span, part, how: 'common' }
    if (part && !present.has(part))
      return { title, span, part, how: 'mapped', replacement: `### ${title}` }
    const isTitle = heading === first && level === 1 && second !== undefined
    const near =
      isTop(heading) && !isTitle && !isInSection(span.start) ? partNear(title) : undefined
    if (!near || !GUESSED.has(near) || present.has(near)) return { title, span, how: 'kept' }
    const marks = '#'.repeat(level)
    const replacement = `${marks} ${USUAL_HEADINGS[near]}\n\n${marks}# ${title}`
    return { title, span, part: near, how: 'mapped', replacement }
  })
  return [...lines, ...found].sort((a, b) => a.span.start - b.span.start)
}

const TITLE_LINE =
  /(?<=^|[\r\n])[ \t]{0,3}(?:(?:\*\*|__)([^*_\r\n]{1,60})(?:\*\*|__):?|([\p{L}][^:`|*_\r\n]{0,40}):)[ \t]*(?=[\r\n]|$)/gu

/** Lines that consist of bold text, or of words before a colon, outside of fences and comments. */
function titleLines(text: string, markdown: Markdown): { title: string; span: Span }[] {
  const isHidden = offsetsWithin([...markdown.fences.map(({ span }) => span), ...markdown.comments])
  const { start: from } = markdown.body
  return [...text.slice(from).matchAll(TITLE_LINE)].flatMap(match => {
    const start = from + match.index
    if (isHidden(start)) return []
    const title = (match[1] ?? match[2] ?? '').replace(/:$/, '').trim()
    return [{ title, span: { start, end: start + match[0].length } }]
  })
}
