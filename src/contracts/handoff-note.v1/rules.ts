import { type Context, listed, quote, type Rules } from '../../contract/index.ts'
import { contentRules } from '../handoff-content.ts'
import { evidenceExists } from '../handoff-evidence.ts'
import type { HandoffFacts } from '../handoff-facts.ts'
import { fileNameMatchesTimestamp, fresh, inMarkdown } from '../handoff-file.ts'
import { lineageRules } from '../handoff-lineage.ts'
import { type HandoffSection, noteSections, offsetsWithin, sectionAt } from '../handoff-outline.ts'
import {
  type HandoffPart,
  partNear,
  partOf,
  REQUIRED_PARTS,
  USUAL_HEADINGS,
} from '../handoff-parts.ts'
import { rulesAreListed, rulesOfNote } from '../handoff-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { HandoffNote } from './schema.ts'

const noPlaceholders = contentRules['no-placeholders']

/** The rules of a handoff note beyond its structure. */
export const rules = {
  'in-markdown': inMarkdown,
  'required-parts': {
    severity: 'error',
    summary:
      'There is a heading of level 1 to 3 for the state, one for the next steps, and one for decisions or rules.',
    why: 'A session that takes over needs to know what is done, what comes next, and what is settled.',
    reads: ['/sections'],
    uses: ['headings'],
    *check(_, context) {
      const { markdown } = context.document
      if (!markdown) return
      const there = new Set(sectionsIn(context).map(({ part }) => part))
      for (const { parts, purpose } of REQUIRED_PARTS) {
        if (parts.some(part => there.has(part))) continue
        const near = headingNear(parts, context)
        const usual = listed(
          parts.map(part => `'## ${USUAL_HEADINGS[part]}'`),
          'or',
        )
        yield {
          path: ['sections'],
          span: near?.heading ?? { start: markdown.body.start, end: markdown.body.start },
          message: `a heading for ${namesOf(parts)} is missing`,
          hint: near
            ? `if ${quote(near.title)} is meant, write ${usual}, map it under 'headings' in waybill.yaml, or run waybill adopt`
            : `add ${usual}: ${purpose}`,
        }
      }
    },
  },
  'parts-not-empty': {
    severity: 'error',
    summary:
      'The required parts have content other than comments, blank lines and thematic breaks.',
    why: 'A note without content must not pass as complete.',
    reads: ['/sections'],
    uses: ['headings'],
    *check(_, context) {
      const { markdown } = context.document
      if (!markdown) return
      const sections = sectionsIn(context)
      for (const { parts, purpose } of REQUIRED_PARTS) {
        const own = sections.filter(({ part }) => parts.includes(part))
        const [first] = own
        if (!first || own.some(({ content }) => !markdown.isBlank(content))) continue
        yield {
          path: ['sections', Math.max(0, sectionAt(markdown, first.heading.start))],
          span: first.heading,
          message: `the section ${quote(first.title)} is empty`,
          hint: `write ${purpose}`,
        }
      }
    },
  },
  'rules-listed': rulesAreListed(rulesOfNote),
  ...contentRules,
  'no-placeholders': {
    ...noPlaceholders,
    summary: `${noPlaceholders.summary.slice(0, -1)}, except in a heading such as TODO.`,
    *check(value, context) {
      const isHeading = offsetsWithin(sectionsIn(context).map(({ heading }) => heading))
      for (const finding of noPlaceholders.check(value, context))
        if (!isHeading(finding.span.start)) yield finding
    },
  },
  'referenced-files-exist': evidenceExists(
    'warning',
    "a section such as 'Evidence' or 'Key Files'",
    (markdown, { headings }) =>
      noteSections(markdown, headings).filter(({ part }) => part === 'evidence'),
  ),
  ...lineageRules,
  'no-future-times': noFutureTimes('/frontmatter/timestamp'),
  fresh,
  'file-name-matches-timestamp': fileNameMatchesTimestamp,
} satisfies Rules<HandoffNote, HandoffFacts>

function sectionsIn({ document: { markdown }, facts }: Context<HandoffFacts>): HandoffSection[] {
  return markdown ? noteSections(markdown, facts.headings) : []
}

/** The first heading without a common name whose words suggest one of the parts. */
function headingNear(
  parts: readonly HandoffPart[],
  { document: { markdown }, facts }: Context<HandoffFacts>,
) {
  return markdown?.headings(3).find(({ title }) => {
    const near = partOf(title, facts.headings) ? undefined : partNear(title)
    return near !== undefined && parts.includes(near)
  })
}

function namesOf(parts: readonly HandoffPart[]): string {
  const names: Partial<Record<HandoffPart, string>> = { state: 'the state', next: 'the next steps' }
  return listed(
    parts.map(part => names[part] ?? part),
    'or',
  )
}
