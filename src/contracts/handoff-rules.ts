import { quote, type Rule } from '../contract/index.ts'
import type { Document, Markdown, Span } from '../document/index.ts'
import type { Handoff } from './handoff.ts'
import { CONTEXT, STANDING_RULES } from './handoff-document.v1/sections.ts'
import type { HandoffFacts } from './handoff-facts.ts'
import { noteSections, sectionAt } from './handoff-outline.ts'
import { type HouseHeadings, partOf } from './handoff-parts.ts'
import { statementsInPart } from './handoff-statements.ts'

/** A heading for rules, with the text below it. */
interface RulesSection {
  readonly title: string
  readonly heading: Span
  readonly content: Span
}

/** The rule that standing rules are list items. */
export function rulesAreListed(
  find: (markdown: Markdown, headings: HouseHeadings | undefined) => readonly RulesSection[],
): Rule<Handoff, HandoffFacts> {
  return {
    severity: 'warning',
    summary: 'Standing rules are list items.',
    why: 'Prose under a heading for rules counts as a fact, and facts give way when a brief is short.',
    reads: ['/sections'],
    uses: ['headings'],
    *check(_, { document, facts }) {
      const { markdown } = document
      if (!markdown) return
      for (const section of find(markdown, facts.headings)) {
        const kinds = kindsIn(document, section)
        if (kinds.length === 0 || kinds.includes('rule')) continue
        yield {
          path: ['sections', Math.max(0, sectionAt(markdown, section.heading.start))],
          span: section.heading,
          message: `${quote(section.title)} has no list items, so nothing under it is a rule`,
          hint: "begin each rule with '- '",
        }
      }
    },
  }
}

/** The rule that a handoff document has its rules in the context. */
export const rulesAreInContext: Rule<Handoff, HandoffFacts> = {
  severity: 'warning',
  summary: `Standing rules are under '### ${STANDING_RULES}' in '${CONTEXT}'.`,
  why: 'Rules in a section of their own are not read, so later sessions do not get them.',
  reads: ['/sections'],
  *check(_, { document }) {
    const sections = document.markdown?.sections ?? []
    for (const [i, section] of sections.entries()) {
      if (partOf(section.title) !== 'rules' || kindsIn(document, section).length === 0) continue
      yield {
        path: ['sections', i],
        message: `the rules under ${quote(section.title)} do not hold: they are in a section of their own`,
        hint: `move them to '### ${STANDING_RULES}' in '## ${CONTEXT}'`,
      }
    }
  },
}

/** The headings for rules of a handoff document. */
export function rulesOfDocument(markdown: Markdown): readonly RulesSection[] {
  const name = STANDING_RULES.toLowerCase()
  return markdown.headings(3).filter(({ title, level, heading }) => {
    const within = markdown.sections[sectionAt(markdown, heading.start)]
    return level === 3 && title.toLowerCase() === name && within?.title === CONTEXT
  })
}

/** The headings for rules of a note. */
export function rulesOfNote(
  markdown: Markdown,
  headings: HouseHeadings | undefined,
): readonly RulesSection[] {
  return noteSections(markdown, headings).filter(({ part }) => part === 'rules')
}

function kindsIn({ text }: Document, { content }: Pick<RulesSection, 'content'>) {
  return statementsInPart(text.slice(content.start, content.end), 'rules').map(({ kind }) => kind)
}
