import type { Statement } from '../../ledger/index.ts'
import { HANDOFF_PREDICATE } from '../urn.ts'

/** The signed claims of the source agent about a handoff. */
export interface HandoffClaim {
  /** The canonical id of the target agent. */
  readonly aud: string
  /** The time window for receiving it, in ISO 8601; parsed during verification. */
  readonly iat: string
  readonly exp: string
  /** Makes two envelopes of the same handoff differ; lower-case hex. */
  readonly nonce: string
  /** Digest of the previous handoff in the conversation; null for the first. */
  readonly prev: string | null
}

/** A source agent's statement about a handoff, and the lock and manifest that it used. */
export type HandoffStatement = Omit<Statement, 'predicate'> & { readonly predicate: HandoffClaim }

/** The subjects of such a statement, in order. */
export const SUBJECTS = ['handoff', 'prompt-lock', 'prompt-manifest'] as const

/** Returns the digest of a subject of a statement. */
export function subjectOf(
  { subject }: HandoffStatement,
  name: (typeof SUBJECTS)[number],
): string | undefined {
  return subject.find(one => one.name === name)?.digest.sha256
}

const KEYS = 'aud,exp,iat,nonce,prev'
const DIGEST = /^[0-9a-f]{64}$/
/** Accepted nonces are recorded, and hex cannot hide a credential or text. */
const NONCE = /^[0-9a-f]{2,128}$/

/** Whether a statement is about a handoff, with exactly the expected fields. */
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
