import type { Fields } from '../contract/index.ts'
import type { Markdown } from '../document/index.ts'
import { isNote } from './handoff-kind.ts'
import { type HandoffSection, noteSections, titlesIn } from './handoff-outline.ts'
import type { HouseHeadings } from './handoff-parts.ts'

/** What tells a handoff note from a handoff document, apart from its text. */
export interface HandoffPlace {
  readonly path?: string | undefined
  /** The repository's own headings. */
  readonly headings?: HouseHeadings | undefined
  /** Whether it is a note, where that is known. */
  readonly note?: boolean | undefined
}

/** The sections of a text that is a handoff note; undefined for any other. */
export function sectionsOfNote(
  markdown: Markdown,
  { path = '', headings, note = isNoteIn(markdown, path, headings) }: HandoffPlace,
): readonly HandoffSection[] | undefined {
  return note ? noteSections(markdown, headings) : undefined
}

function isNoteIn(markdown: Markdown, path: string, headings: HouseHeadings | undefined): boolean {
  const value = { frontmatter: fieldsIn(markdown.frontmatter?.text), sections: markdown.sections }
  return isNote(value, path, titlesIn(markdown, headings))
}

const FIELD = /^([a-z_]+):[ \t]*["']?([^"'#\r\n]*)/gm

/** The keys of a frontmatter with the text after them: enough to tell the contracts apart. */
function fieldsIn(yaml = ''): Fields {
  return Object.fromEntries(
    [...yaml.matchAll(FIELD)].map(([, key = '', value = '']) => [key, value.trim()]),
  )
}
