import type { Fields } from '../contract/index.ts'
import { FRONTMATTER_KEYS } from './handoff-document.v1/frontmatter.ts'
import { REQUIRED_SECTIONS } from './handoff-document.v1/sections.ts'
import { fileNameOf, hasStampedName, isUnderHandoffs } from './handoff-file-name.ts'
import { type HandoffPart, partOf } from './handoff-parts.ts'

/** The contract that the frontmatter of a note may name. */
export const NOTE = 'handoff-note.v1'

const NAME = /^handoff(?:[-_].*)?\.(?:md|markdown)$/i
const IN_HANDOFFS = /(?:^|\/)handoffs\/.*\.(?:md|markdown)$/i
const IN_DOCS = /(?:^|\/)docs\/handoff[^/]*\.(?:md|markdown)$/i
/** What folders of handoffs hold beyond handoffs. */
const NO_NOTE = /^(?:readme|index|.*template.*)\.[a-z]+$/i

/** Parts that make a file with a note's name a note; other headings occur in any text. */
const TELLING: ReadonlySet<HandoffPart | undefined> = new Set([
  'state',
  'next',
  'open',
  'decisions',
  'rules',
  'context',
])

/** Whether documents of a contract are members of a lineage. */
export function isHandoffContract(name: string | null): boolean {
  return name === 'handoff-document' || name === 'handoff-note'
}

/** Whether a file has a name that handoff notes have. */
export function hasNoteName(path: string): boolean {
  const name = fileNameOf(path)
  if (NO_NOTE.test(name)) return false
  return NAME.test(name) || IN_HANDOFFS.test(path) || IN_DOCS.test(path)
}

/** Whether a Markdown value is a handoff note, by its frontmatter, or by its file name and headings. */
export function isNote(value: Fields, path: string, titles: readonly string[]): boolean {
  const { contract } = fieldsOf(value.frontmatter)
  if (contract === NOTE || contract === 'handoff-note') return true
  if (!hasNoteName(path) || !titles.some(title => TELLING.has(partOf(title)))) return false
  return !isLikeDocument(value, path)
}

/** Whether a Markdown value and its file name declare a handoff document. */
export function declaresDocument(value: Fields, path: string, titles: readonly string[]): boolean {
  if (isNote(value, path, titles)) return false
  if (isUnderHandoffs(path)) return hasStampedName(path) || hasDocumentTitles(value)
  return (hasNoteName(path) || hasStampedName(path)) && hasDocumentTitles(value)
}

/** Whether the frontmatter of a Markdown value is that of a handoff document. */
export function hasDocumentKeys({ frontmatter }: Fields): boolean {
  return keysIn(frontmatter) >= 3
}

/** Whether the sections of a Markdown value are those of a handoff document. */
export function hasDocumentTitles({ sections }: Fields): boolean {
  return titlesAmong(sections) >= 4
}

/** Whether a file with a note's name is rather a handoff document. */
function isLikeDocument({ frontmatter, sections }: Fields, path: string): boolean {
  const isTitled = titlesAmong(sections) >= 4
  // All other keys of a handoff document may be in a note too.
  const { adr_id, obpi_id } = fieldsOf(frontmatter)
  if (keysIn(frontmatter) >= 3) return isTitled || isSaid(adr_id) || isSaid(obpi_id)
  return isTitled && isUnderHandoffs(path)
}

function keysIn(frontmatter: unknown): number {
  const fields = fieldsOf(frontmatter)
  return FRONTMATTER_KEYS.filter(key => Object.hasOwn(fields, key)).length
}

function titlesAmong(sections: unknown): number {
  if (!Array.isArray(sections)) return 0
  const titles = new Set(sections.map(section => fieldsOf(section).title))
  return REQUIRED_SECTIONS.filter(({ title }) => titles.has(title)).length
}

/** Empty keys count as absent. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
