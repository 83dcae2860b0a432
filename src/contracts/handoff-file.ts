import type { Rule } from '../contract/index.ts'
import { formatInstant, parseInstant } from '../document/index.ts'
import type { Handoff } from './handoff.ts'
import type { HandoffFacts } from './handoff-facts.ts'
import { instantOfName } from './handoff-file-name.ts'
import { changesSince, classifyStaleness, type Staleness } from './handoff-staleness.ts'

const TIMESTAMP = ['frontmatter', 'timestamp'] as const
const BRANCH = ['frontmatter', 'branch'] as const

const ADVICE: Record<Exclude<Staleness, 'fresh'>, string> = {
  'slightly stale': 'resume with caution, and verify the most important facts first',
  stale: 'have a person verify it before resuming from it',
  'very stale':
    'have a person verify it before resuming from it; consider writing a new one instead',
}

/** The rule that a handoff is Markdown. */
export const inMarkdown: Rule<Handoff, HandoffFacts> = {
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
}

/** The rule that tells how old a handoff is. */
export const fresh: Rule<Handoff, HandoffFacts> = {
  severity: 'info',
  summary: 'The document was written less than 24 hours ago, and its branch has not changed since.',
  why: 'The older a handoff is and the more has changed since, the less of it still holds.',
  reads: ['/frontmatter/timestamp'],
  uses: ['drift', 'ageLimits'],
  *check({ frontmatter }, { now, path, facts: { drift, ageLimits } }) {
    const stated = parseInstant(frontmatter?.timestamp ?? '')
    const written = stated ?? (path === undefined ? undefined : instantOfName(path)) ?? now
    const { staleness, reason } = classifyStaleness(now - written, ageLimits)
    if (staleness !== 'fresh')
      yield { path: TIMESTAMP, message: `${staleness}: ${reason}`, hint: ADVICE[staleness] }
    const changes = drift && changesSince(drift)
    if (changes !== undefined)
      yield { path: BRANCH, message: changes, hint: 'compare what it says with what changed' }
  },
}

/** The rule that the name of a file and its frontmatter state one time. */
export const fileNameMatchesTimestamp: Rule<Handoff, HandoffFacts> = {
  severity: 'warning',
  summary: 'The time in the file name equals the timestamp in the frontmatter.',
  why: 'Chains are ordered by timestamp and listed by name; if they differ, one order is wrong.',
  reads: ['/frontmatter/timestamp'],
  *check({ frontmatter }, { path }) {
    const named = path === undefined ? undefined : instantOfName(path)
    const stated = parseInstant(frontmatter?.timestamp ?? '')
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
}
