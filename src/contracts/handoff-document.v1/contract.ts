import { defineContract, type Fields } from '../../contract/index.ts'
import { hasStampedName, isNearHandoffName, isUnderHandoffs } from './file-name.ts'
import { FRONTMATTER_KEYS } from './frontmatter.ts'
import type { HandoffDocument } from './schema.ts'
import { REQUIRED_SECTIONS } from './sections.ts'

const TITLES = REQUIRED_SECTIONS.map(section => section.title)

export default defineContract<HandoffDocument>({
  id: 'handoff-document.v1',
  title: 'Handoff document',
  formats: ['markdown'],
  recognise: {
    declares: ({ sections }, name) =>
      isUnderHandoffs(name)
        ? hasStampedName(name) || hasTitles(sections)
        : isNearHandoffName(name) && hasTitles(sections),
    signature: value => hasKeys(value.frontmatter),
    resembles: value => hasTitles(value.sections),
    // Every Markdown text has sections, and many have frontmatter: root keys distinguish nothing.
    keys: [],
  },
  header: ({ frontmatter }) => ({
    from: frontmatter.agent,
    correlation: frontmatter.adr_id,
    createdAt: frontmatter.timestamp,
    continues: frontmatter.continues_from,
  }),
})

function hasKeys(frontmatter: unknown): boolean {
  if (!isFields(frontmatter)) return false
  return FRONTMATTER_KEYS.filter(key => Object.hasOwn(frontmatter, key)).length >= 3
}

function hasTitles(sections: unknown): boolean {
  if (!Array.isArray(sections)) return false
  const titles = new Set(sections.map(section => isFields(section) && section.title))
  return TITLES.filter(title => titles.has(title)).length >= 4
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
