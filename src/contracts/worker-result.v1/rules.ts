import { quote, type Rules } from '../../contract/index.ts'
import { formatDuration, parseInstant } from '../../document/index.ts'
import type { LibrarianPass } from '../librarian-pass.v1/schema.ts'
import { type MissionFacts, siblingsOfTask } from '../mission-facts.ts'
import { knownTask, noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { WorkerResult } from './schema.ts'

/** What the structure of a worker result cannot say. */
export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'known-task': knownTask,
  'cites-sources-when-required': {
    severity: 'error',
    summary: "The result cites something where the task's prompt package says that it must.",
    why: 'A claim without a source cannot be followed up, and the worker was told so.',
    reads: ['/task_id', '/citations'],
    uses: ['artifacts'],
    *check({ task_id, citations }, { facts: { artifacts } }) {
      if (citations.length > 0) return
      const strict = siblingsOfTask(artifacts, 'prompt_package', task_id).find(
        ({ constraints }) => constraints.must_cite_sources,
      )
      if (!strict) return
      yield {
        path: ['citations'],
        message: `the result cites nothing, and the prompt package ${quote(strict.package_id)} says it must`,
        hint: 'name what the result rests on, each source with its kind and ref',
      }
    },
  },
  'pass-not-expired': {
    severity: 'error',
    summary: 'The result was written before the pass of its task ended.',
    why: 'After its end a pass allows nothing, so the worker may have read what it no longer might.',
    reads: ['/task_id', '/created_at'],
    uses: ['artifacts'],
    *check({ task_id, created_at }, { facts: { artifacts } }) {
      const written = parseInstant(created_at) ?? 0
      // A pass that was written later allowed nothing to this result.
      const passes = siblingsOfTask(artifacts, 'librarian_pass', task_id).filter(
        pass => (parseInstant(pass.created_at) ?? 0) <= written,
      )
      const endOf = (pass: LibrarianPass) => parseInstant(pass.expires_at) ?? 0
      // A worker whose pass was renewed works under the one that lasts longest.
      const pass = passes.toSorted((a, b) => endOf(b) - endOf(a))[0]
      if (!pass) return
      const late = written - endOf(pass)
      if (late <= 0) return
      yield {
        path: ['created_at'],
        message: `the result was written ${formatDuration(late)} after the pass ${quote(pass.pass_id)} ended (${pass.expires_at})`,
        hint: 'let the librarian write a new pass and the worker do the task under it',
      }
    },
  },
} satisfies Rules<WorkerResult, MissionFacts>
