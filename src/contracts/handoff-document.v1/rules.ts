import { quote, type Rules } from '../../contract/index.ts'
import { contentRules } from '../handoff-content.ts'
import { documentEvidence, evidenceExists } from '../handoff-evidence.ts'
import type { HandoffFacts } from '../handoff-facts.ts'
import { fileNameMatchesTimestamp, fresh, inMarkdown } from '../handoff-file.ts'
import {
  fileNameOf,
  hasSlug,
  instantOfName,
  isUnderHandoffs,
  packageOf,
} from '../handoff-file-name.ts'
import { lineageRules } from '../handoff-lineage.ts'
import { rulesAreInContext, rulesAreListed, rulesOfDocument } from '../handoff-rules.ts'
import { noFutureTimes, standardTimes } from '../times.ts'
import { sectionRules } from './rules/sections.ts'
import type { HandoffDocument } from './schema.ts'
import { EVIDENCE } from './sections.ts'

export const rules = {
  'in-markdown': inMarkdown,
  ...sectionRules,
  'rules-in-context': rulesAreInContext,
  'rules-listed': rulesAreListed(rulesOfDocument),
  ...contentRules,
  'referenced-files-exist': evidenceExists('error', `'${EVIDENCE}'`, documentEvidence),
  ...lineageRules,
  'no-future-times': noFutureTimes('/frontmatter/timestamp'),
  'standard-times': standardTimes('/frontmatter/timestamp'),
  fresh,
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
  'file-name-matches-timestamp': fileNameMatchesTimestamp,
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
