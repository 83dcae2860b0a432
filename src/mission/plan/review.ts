import type { ReviewPacket } from '../../contracts/index.ts'

/** The output that a review approves, with required edits. */
export interface ApprovedOutput {
  readonly output: NonNullable<ReviewPacket['approved_output']>
  /** Edits to make before use; empty when approved unchanged. */
  readonly edits: readonly string[]
}

/** Returns the output that a review approves; null when it requests changes or rejects. */
export function approvedOutput(review: ReviewPacket): ApprovedOutput | null {
  const { review_status, approved_output, required_edits } = review
  const isApproval = review_status === 'approved' || review_status === 'approved_with_edits'
  return isApproval && approved_output ? { output: approved_output, edits: required_edits } : null
}
