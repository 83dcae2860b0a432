import type { Markdown, Span } from '../document/index.ts'
import { commonTitle, type HandoffPart, type HouseHeadings, partOf } from './handoff-parts.ts'

/** A section of a handoff whose heading says what it is about. */
export interface HandoffSection {
  readonly part: HandoffPart
  readonly title: string
  readonly heading: Span
  /** Its text with the headings below it, up to the next section or a heading of its own level. */
  readonly content: Span
}

/** The deepest level at which a heading begins a section of a note. */
const DEEPEST = 3

/** The titles of the headings that may begin a section of a note, those of the repository's own as common names. */
export function titlesIn(markdown: Markdown | undefined, house?: HouseHeadings): string[] {
  return markdown?.headings(DEEPEST).map(({ title }) => commonTitle(title, house)) ?? []
}

type Open = { -readonly [Key in keyof HandoffSection]: HandoffSection[Key] }

/**
 * The sections of a handoff note, by common names or the repository's own.
 *
 * A heading without such a name belongs to the section above it whose level is lower.
 */
export function noteSections(markdown: Markdown, house?: HouseHeadings): HandoffSection[] {
  const sections: Open[] = []
  const above: { readonly level: number; readonly section: Open | undefined }[] = []
  for (const { title, level, heading, content } of markdown.headings(DEEPEST)) {
    while ((above.at(-1)?.level ?? 0) >= level) above.pop()
    const part = partOf(title, house)
    const outer = above.at(-1)?.section
    const begun: Open | undefined = part && { part, title, heading, content }
    // Another section may lie in between: then this is a further piece of the outer one.
    const isCut = outer !== undefined && sections.at(-1) !== outer
    const further = isCut && { ...outer, content: { start: heading.start, end: content.end } }
    const section = begun ?? (further || outer)
    if (section && section !== outer) sections.push(section)
    else if (outer) outer.content = { start: outer.content.start, end: content.end }
    above.push({ level, section })
  }
  return sections
}

/** The index of the section of a value that contains an offset; -1 before the first. */
export function sectionAt({ sections }: Markdown, offset: number): number {
  let low = 0
  let high = sections.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sections[middle]?.heading.start ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Returns a test for ascending offsets: whether each is in one of the spans, which must not overlap. */
export function offsetsWithin(spans: readonly Span[]): (offset: number) => boolean {
  const sorted = spans.toSorted((a, b) => a.start - b.start)
  let at = 0
  return offset => {
    while ((sorted[at]?.end ?? Infinity) <= offset) at += 1
    return (sorted[at]?.start ?? Infinity) <= offset
  }
}
