import type { Fields } from '../../contract/index.ts'
import { FRONTMATTER_KEYS, REQUIRED_SECTIONS } from '../../contracts/index.ts'
import { type Document, formatYaml, type Json } from '../../document/index.ts'

/** A section of a handoff document with its text as Markdown. */
export interface HandoffSection {
  readonly title: string
  readonly level: 1 | 2
  readonly body: string
}

/** The parts of a handoff document. */
export interface HandoffContent {
  readonly frontmatter: Fields
  /** The text before the first heading. */
  readonly preamble: string
  readonly sections: readonly HandoffSection[]
}

/** Splits a Markdown document into its parts; the frontmatter is optional. */
export function contentOf({ markdown, text, value }: Document): HandoffContent {
  const { frontmatter } = value as { frontmatter?: Fields | null }
  const first = markdown?.sections[0]?.heading.start ?? markdown?.body.end ?? text.length
  return {
    frontmatter: frontmatter ?? {},
    preamble: trimmed(text.slice(markdown?.body.start ?? 0, first)),
    sections: (markdown?.sections ?? []).map(({ title, level, content }) => ({
      title,
      level,
      body: trimmed(text.slice(content.start, content.end)),
    })),
  }
}

function trimmed(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}

/** Formats a handoff document. */
export function handoffText({ frontmatter, preamble, sections }: HandoffContent): string {
  const known = FRONTMATTER_KEYS.filter(key => Object.hasOwn(frontmatter, key))
  const others = Object.keys(frontmatter).filter(key => !FRONTMATTER_KEYS.includes(key))
  const ordered = Object.fromEntries([...known, ...others].map(key => [key, frontmatter[key]]))
  const parts = [
    ...(preamble ? [preamble] : []),
    ...sections.map(({ title, level, body }) =>
      [`${'#'.repeat(level)} ${title}`, ...(body ? [body] : [])].join('\n\n'),
    ),
  ]
  return `---\n${formatYaml(ordered as Json)}---\n\n${parts.join('\n\n')}\n`
}

/** Returns the text of a section, or undefined. */
export function bodyOf(sections: readonly HandoffSection[], title: string): string {
  return sections
    .filter(s => s.level === 2 && s.title === title)
    .map(s => s.body)
    .join('\n\n')
}

/** Replaces the text of a section; a new section takes its usual place among the required ones. */
export function withBody(
  sections: readonly HandoffSection[],
  title: string,
  body: string,
): HandoffSection[] {
  const at = sections.findIndex(s => s.level === 2 && s.title === title)
  if (at >= 0) return sections.map((s, i) => (i === at ? { ...s, body } : s))
  const rank = rankOf(title)
  if (rank === REQUIRED_SECTIONS.length) return [...sections, { title, level: 2, body }]
  const before = sections.findLastIndex(s => s.level === 1 || rankOf(s.title) < rank)
  return sections.toSpliced(before + 1, 0, { title, level: 2, body })
}

/** The usual position of a section; unknown sections follow the required ones. */
function rankOf(title: string): number {
  const rank = REQUIRED_SECTIONS.findIndex(section => section.title === title)
  return rank < 0 ? REQUIRED_SECTIONS.length : rank
}
