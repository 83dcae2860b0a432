import type { ReviewPacket } from '../../contracts/index.ts'

/** What a review lets out, and the edits that it depends on. */
export interface ApprovedOutput {
  readonly output: NonNullable<ReviewPacket['approved_output']>
  /** To be made before the output is used; none where it was approved as it stands. */
  readonly edits: readonly string[]
}

/** What the one review of a mission lets out; nothing where it asks for changes or rejects. */
export function approvedOutput(review: ReviewPacket): ApprovedOutput | null {
  const { review_status, approved_output, required_edits } = review
  const isApproval = review_status === 'approved' || review_status === 'approved_with_edits'
  return isApproval && approved_output ? { output: approved_output, edits: required_edits } : null
}
