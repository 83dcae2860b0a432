import { quote, type Rules } from '../../contract/index.ts'
import { formatInstant, parseInstant } from '../../document/index.ts'
import { noFutureTimes, standardTimes } from '../times.ts'
import type { HandoffFacts } from './facts.ts'
import { fileNameOf, hasSlug, instantOfName, isUnderHandoffs, packageOf } from './file-name.ts'
import { contentRules } from './rules/content.ts'
import { evidenceRules } from './rules/evidence.ts'
import { lineageRules } from './rules/lineage.ts'
import { sectionRules } from './rules/sections.ts'
import type { HandoffDocument } from './schema.ts'
import { classifyStaleness, type Staleness } from './staleness.ts'

const TIMESTAMP = ['frontmatter', 'timestamp'] as const

const ADVICE: Record<Exclude<Staleness, 'fresh'>, string> = {
  'slightly stale': 'resume with caution, and verify the most important facts first',
  stale: 'have a person verify it before resuming from it',
  'very stale':
    'have a person verify it before resuming from it; consider writing a new one instead',
}

export const rules = {
  'in-markdown': {
    severity: 'error',
    summary: 'The document is written in Markdown.',
    why: 'People read it first, and checks such as placeholders and evidence need text.',
    reads: [],
    *check(_, { document }) {
      if (document.markdown) return
      yield {
        path: [],
        message: 'a handoff document is Markdown with YAML frontmatter',
        hint: "write it to a '.md' file",
      }
    },
  },
  ...sectionRules,
  ...contentRules,
  ...evidenceRules,
  ...lineageRules,
  'no-future-times': noFutureTimes('/frontmatter/timestamp'),
  'standard-times': standardTimes('/frontmatter/timestamp'),
  fresh: {
    severity: 'info',
    summary:
      'The document was written less than 24 hours ago, and its branch has not moved on since.',
    why: 'The older a handoff is and the more has changed since, the less of it still holds.',
    reads: ['/frontmatter/timestamp'],
    uses: ['drift'],
    *check({ frontmatter: { timestamp } }, { now, facts: { drift } }) {
      const { staleness, reason } = classifyStaleness(now - (parseInstant(timestamp) ?? now), drift)
      if (staleness === 'fresh') return
      yield { path: TIMESTAMP, message: `${staleness}: ${reason}`, hint: ADVICE[staleness] }
    },
  },
  'well-formed-file-name': {
    severity: 'warning',
    summary:
      "The file is in a 'handoffs/' folder and is named YYYY-MM-DDTHH-MM-SSZ-<slug>.md or YYYYMMDDTHHMMSSZ-<slug>.md.",
    why: 'Handoffs are found by their folder and sorted by their names.',
    reads: [],
    *check(_, { path }) {
      if (path === undefined) return
      const fault = nameFault(path)
      if (fault) yield { path: [], ...fault }
      if (!isUnderHandoffs(path)) {
        yield {
          path: [],
          message: `${quote(path)} is not in a folder 'handoffs'`,
          hint: "move it to 'handoffs/' in the folder of its decision record",
        }
      }
    },
  },
  'in-own-package': {
    severity: 'warning',
    summary: 'A document in the package of a decision record belongs to that record.',
    why: 'Readers look for the handoffs of a decision in its package; one in another package is not found.',
    reads: ['/frontmatter/adr_id'],
    *check({ frontmatter: { adr_id } }, { path }) {
      const found = path === undefined ? undefined : packageOf(path)
      if (found === undefined || found === adr_id) return
      yield {
        path: ['frontmatter', 'adr_id'],
        message: `the document belongs to ${quote(adr_id)}, but is in the package of ${quote(found)}`,
        hint: `move it to 'handoffs/' in the package of ${quote(adr_id)}, or write ${quote(found)}`,
      }
    },
  },
  'file-name-matches-timestamp': {
    severity: 'warning',
    summary: 'The time in the file name equals the timestamp in the frontmatter.',
    why: 'Chains are ordered by timestamp and listed by name; if they differ, one order is wrong.',
    reads: ['/frontmatter/timestamp'],
    *check({ frontmatter: { timestamp } }, { path }) {
      const named = path === undefined ? undefined : instantOfName(path)
      const stated = parseInstant(timestamp)
      // A name has no fractions of a second.
      if (
        named === undefined ||
        stated === undefined ||
        named === stated - (((stated % 1000) + 1000) % 1000)
      )
        return
      yield {
        path: TIMESTAMP,
        message: `the file name says ${formatInstant(named)}, but the frontmatter says ${formatInstant(stated)}`,
        hint: 'rename the file, or correct the timestamp',
      }
    },
  },
} satisfies Rules<HandoffDocument, HandoffFacts>

function nameFault(path: string): { message: string; hint: string } | undefined {
  const name = () => quote(fileNameOf(path))
  if (instantOfName(path) === undefined) {
    return {
      message: `the file name ${name()} does not consist of a UTC time and a slug`,
      hint: "name it like '2026-02-11T14-30-00Z-schema-draft.md'",
    }
  }
  if (path.endsWith('.draft.md')) {
    return {
      message: `the file name ${name()} marks a draft`,
      hint: "finish the document, and remove '.draft' from the name",
    }
  }
  if (hasSlug(path)) return undefined
  return {
    message: `the file name ${name()} does not end in a slug`,
    hint: "describe the topic in lower-case letters and digits, joined by hyphens, such as 'schema-draft.md'",
  }
}
