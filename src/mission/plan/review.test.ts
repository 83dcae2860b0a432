import { expect, test } from 'vitest'
import { exampleOf } from '../../../test/mission-payloads.ts'
import type { ReviewPacket } from '../../contracts/index.ts'
import { approvedOutput } from './review.ts'

const review = (more: Partial<ReviewPacket>) =>
  ({ ...exampleOf('review-packet.v1'), ...more }) as unknown as ReviewPacket
const output = { summary: 'Reviewed final answer here' }

test.each([
  ['approved', [], { output, edits: [] }],
  ['approved_with_edits', ['say why'], { output, edits: ['say why'] }],
  ['changes_required', ['say why'], null],
  ['rejected', [], null],
] as const)('a mission whose review says %s', (review_status, edits, expected) => {
  const packet = review({ review_status, required_edits: [...edits], approved_output: output })
  expect(approvedOutput(packet)).toEqual(expected)
})
