import type { Fields, Rules } from '../../contract/index.ts'
import { formatDuration, parseInstant } from '../../document/index.ts'
import {
  type Artifact,
  type MissionFacts,
  nameOf,
  siblingsOfTask,
  undecidedBy,
} from '../mission-facts.ts'
import { knownTask, noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { WorkerResult } from './schema.ts'

export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'known-task': knownTask,
  'cites-sources-when-required': {
    severity: 'error',
    summary: "The result has citations if the task's prompt package requires them.",
    why: 'A claim without a source cannot be verified, and the worker was instructed to cite.',
    reads: ['/task_id', '/citations'],
    uses: ['artifacts'],
    *check({ task_id, citations }, { facts: { artifacts } }) {
      if (citations.length > 0) return
      const packages = siblingsOfTask(artifacts, 'prompt_package', task_id)
      const unread = packages.filter(
        one => typeof one.value.task_id !== 'string' || typeof mustCite(one) !== 'boolean',
      )
      const strict = packages.find(one => !unread.includes(one) && mustCite(one))
      if (!strict) {
        yield* unread.filter(one => mustCite(one) !== false).map(undecidedBy)
        return
      }
      yield {
        path: ['citations'],
        message: `the result has no citations, but the prompt package ${nameOf(strict)} requires them`,
        hint: 'cite the sources of the result, each with its kind and ref',
      }
    },
  },
  'pass-not-expired': {
    severity: 'error',
    summary: 'The result was written before the pass of its task expired.',
    why: 'An expired pass grants no access, so the worker may have read data without permission.',
    reads: ['/task_id', '/created_at'],
    uses: ['artifacts'],
    *check({ task_id, created_at }, { facts: { artifacts } }) {
      const written = parseInstant(created_at) ?? 0
      // A pass written later granted nothing to this result.
      const passes = siblingsOfTask(artifacts, 'librarian_pass', task_id).filter(
        ({ value }) => (timeOf(value.created_at) ?? 0) <= written,
      )
      const isRead = ({ value }: Artifact) =>
        typeof value.task_id === 'string' &&
        timeOf(value.created_at) !== undefined &&
        timeOf(value.expires_at) !== undefined
      const endOf = ({ value }: Artifact) => timeOf(value.expires_at) ?? 0
      const lasted = passes.filter(one => isRead(one) && endOf(one) >= written)
      if (lasted.some(({ fault }) => fault === undefined)) return
      // An unreadable pass may be the valid one; a readable but invalid one grants nothing.
      const unsure = [...lasted, ...passes.filter(one => !isRead(one))]
      // If a pass was renewed, the one that expires last applies.
      const pass = passes.toSorted((a, b) => endOf(b) - endOf(a))[0]
      if (unsure.length > 0) yield* unsure.map(undecidedBy)
      else if (pass) {
        const late = formatDuration(written - endOf(pass))
        yield {
          path: ['created_at'],
          message: `the result was written ${late} after the pass ${nameOf(pass)} expired (${pass.value.expires_at})`,
          hint: 'have the librarian write a new pass, and repeat the task under it',
        }
      }
    },
  },
} satisfies Rules<WorkerResult, MissionFacts>

function mustCite({ value }: Artifact): unknown {
  return (value.constraints as Fields | null | undefined)?.must_cite_sources
}

function timeOf(time: unknown): number | undefined {
  return typeof time === 'string' ? parseInstant(time) : undefined
}
