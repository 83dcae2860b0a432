import type { Statement } from '../../ledger/index.ts'
import { HANDOFF_PREDICATE } from '../urn.ts'

/** What the source agent states about a handoff. */
export interface HandoffClaim {
  /** The canonical id of the agent that it is for. */
  readonly aud: string
  /** From when to when it may be received: ISO 8601, but only whoever verifies it looks whether they are times. */
  readonly iat: string
  readonly exp: string
  /** Makes two envelopes of one handoff differ; lower-case hex. */
  readonly nonce: string
  /** Digest of the handoff before this one in the conversation; null for the first. */
  readonly prev: string | null
}

/** A statement of a source agent about a handoff, the lock and the manifest that it went by. */
export type HandoffStatement = Omit<Statement, 'predicate'> & { readonly predicate: HandoffClaim }

/** What such a statement is about, in this order. */
export const SUBJECTS = ['handoff', 'prompt-lock', 'prompt-manifest'] as const

/** The digest of one of the things that a statement is about. */
export function subjectOf(
  { subject }: HandoffStatement,
  name: (typeof SUBJECTS)[number],
): string | undefined {
  return subject.find(one => one.name === name)?.digest.sha256
}

const KEYS = 'aud,exp,iat,nonce,prev'
const DIGEST = /^[0-9a-f]{64}$/
/** What is accepted is recorded, and in hex nobody can hide a credential or words. */
const NONCE = /^[0-9a-f]{2,128}$/

/** Whether a statement is one about a handoff, with exactly the parts that it has. */
export function isHandoffStatement(
  statement: Statement,
): statement is Statement & HandoffStatement {
  const { subject, predicateType, predicate } = statement
  const { aud, iat, exp, nonce, prev } = predicate
  return (
    predicateType === HANDOFF_PREDICATE &&
    subject.length === SUBJECTS.length &&
    subject.every(({ name }, at) => name === SUBJECTS[at]) &&
    Object.keys(predicate).sort().join() === KEYS &&
    typeof aud === 'string' &&
    aud !== '' &&
    typeof nonce === 'string' &&
    NONCE.test(nonce) &&
    [iat, exp].every(time => typeof time === 'string') &&
    (prev === null || (typeof prev === 'string' && DIGEST.test(prev)))
  )
}
