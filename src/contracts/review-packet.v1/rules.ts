import type { Rules } from '../../contract/index.ts'
import { parseInstant } from '../../document/index.ts'
import { type MissionFacts, nameOf, siblingsNamed, undecidedBy } from '../mission-facts.ts'
import { noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { ReviewPacket } from './schema.ts'

/** What the structure of a review packet cannot say. */
export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'approved-has-output': {
    severity: 'error',
    summary: 'An approval, with edits or without, says what it approves.',
    why: 'Only what the reviewer approved may go out; without it, there is nothing to send.',
    reads: ['/review_status', '/approved_output'],
    *check({ review_status, approved_output }) {
      if (!isApproval(review_status) || approved_output) return
      yield {
        path: ['approved_output'],
        message: `the status is '${review_status}', and there is no 'approved_output'`,
        hint: "add the output that is approved, or write 'changes_required' or 'rejected'",
      }
    },
  },
  'no-output-when-refused': {
    severity: 'error',
    summary: 'A packet that asks for changes or rejects carries no approved output.',
    why: 'What stands under approved_output is sent on; a refused answer must not be found there.',
    reads: ['/review_status', '/approved_output'],
    *check({ review_status, approved_output }) {
      if (isApproval(review_status) || !approved_output) return
      yield {
        path: ['approved_output'],
        atKey: true,
        message: `the status is '${review_status}', and yet there is an 'approved_output'`,
        hint: 'remove the output, or approve it',
      }
    },
  },
  'edits-when-approved-with-edits': {
    severity: 'error',
    summary: 'An approval with edits names at least one edit.',
    why: 'The answer may go out only after the edits, so they have to be known.',
    reads: ['/review_status', '/required_edits'],
    *check({ review_status, required_edits }) {
      if (review_status !== 'approved_with_edits' || required_edits.length > 0) return
      yield {
        path: ['required_edits'],
        message: "the status is 'approved_with_edits', and no edit is named",
        hint: "name the edits, or write 'approved'",
      }
    },
  },
  'no-edits-when-approved': {
    severity: 'error',
    summary: 'An approval without edits names none.',
    why: 'An answer that is approved as it stands goes out at once; an edit named beside it would be lost.',
    reads: ['/review_status', '/required_edits'],
    *check({ review_status, required_edits }) {
      if (review_status !== 'approved' || required_edits.length === 0) return
      yield {
        path: ['required_edits'],
        message: "the status is 'approved', and yet edits are required",
        hint: "write 'approved_with_edits', or remove the edits",
      }
    },
  },
  'one-review': {
    severity: 'error',
    summary: 'The mission has not been reviewed before.',
    why: 'Review is one pass: a mission that goes back and forth between worker and reviewer never ends.',
    reads: ['/created_at'],
    needs: ['artifacts'],
    *check({ created_at }, { facts: { artifacts } }) {
      const written = parseInstant(created_at) ?? 0
      for (const review of siblingsNamed(artifacts, 'review_packet')) {
        const other = review.value.created_at
        const time = typeof other === 'string' ? parseInstant(other) : undefined
        if (time === undefined) yield undecidedBy(review)
        else if (time > written) continue
        else
          yield {
            path: ['created_at'],
            message: `the mission was reviewed before: ${nameOf(review)} in ${review.path}, ${other}`,
            hint: 'let the first review stand, or begin a new mission',
          }
      }
    },
  },
} satisfies Rules<ReviewPacket, MissionFacts>

function isApproval(status: ReviewPacket['review_status']): boolean {
  return status === 'approved' || status === 'approved_with_edits'
}
