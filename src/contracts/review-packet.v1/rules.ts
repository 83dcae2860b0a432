import type { Rules } from '../../contract/index.ts'
import { parseInstant } from '../../document/index.ts'
import { type MissionFacts, nameOf, siblingsNamed, undecidedBy } from '../mission-facts.ts'
import { noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { ReviewPacket } from './schema.ts'

export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'approved-has-output': {
    severity: 'error',
    summary: 'An approval, with or without edits, includes the approved output.',
    why: 'Only approved output may be sent; without it, there is nothing to send.',
    reads: ['/review_status', '/approved_output'],
    *check({ review_status, approved_output }) {
      if (!isApproval(review_status) || approved_output) return
      yield {
        path: ['approved_output'],
        message: `the status is '${review_status}', but 'approved_output' is missing`,
        hint: "add the approved output, or write 'changes_required' or 'rejected'",
      }
    },
  },
  'no-output-when-refused': {
    severity: 'error',
    summary: 'A packet that requires changes or rejects has no approved output.',
    why: 'The approved output is sent on, so a rejected answer must not be in it.',
    reads: ['/review_status', '/approved_output'],
    *check({ review_status, approved_output }) {
      if (isApproval(review_status) || !approved_output) return
      yield {
        path: ['approved_output'],
        atKey: true,
        message: `the status is '${review_status}', but 'approved_output' is given`,
        hint: 'remove the output, or approve it',
      }
    },
  },
  'edits-when-approved-with-edits': {
    severity: 'error',
    summary: 'An approval with edits names at least one edit.',
    why: 'The answer may be sent only after the edits, so they must be listed.',
    reads: ['/review_status', '/required_edits'],
    *check({ review_status, required_edits }) {
      if (review_status !== 'approved_with_edits' || required_edits.length > 0) return
      yield {
        path: ['required_edits'],
        message: "the status is 'approved_with_edits', but no edit is named",
        hint: "name the edits, or write 'approved'",
      }
    },
  },
  'no-edits-when-approved': {
    severity: 'error',
    summary: 'An approval without edits names no edit.',
    why: 'An approved answer is sent at once, so an edit listed with it would be lost.',
    reads: ['/review_status', '/required_edits'],
    *check({ review_status, required_edits }) {
      if (review_status !== 'approved' || required_edits.length === 0) return
      yield {
        path: ['required_edits'],
        message: "the status is 'approved', but edits are required",
        hint: "write 'approved_with_edits', or remove the edits",
      }
    },
  },
  'one-review': {
    severity: 'error',
    summary: 'The mission has not been reviewed before.',
    why: 'A mission is reviewed once: one that alternates between worker and reviewer never ends.',
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
            message: `the mission is already reviewed: ${nameOf(review)} in ${review.path}, ${other}`,
            hint: 'keep the first review, or start a new mission',
          }
      }
    },
  },
} satisfies Rules<ReviewPacket, MissionFacts>

function isApproval(status: ReviewPacket['review_status']): boolean {
  return status === 'approved' || status === 'approved_with_edits'
}
