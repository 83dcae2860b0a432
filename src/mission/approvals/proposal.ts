import { createHash } from 'node:crypto'
import { missionCommand, quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { canonicalJson } from '../../ledger/index.ts'
import {
  listArtifacts,
  readProposal,
  type StoredDecision,
  type StoredProposal,
  type Tx,
  type WhichProposal,
} from '../../store/index.ts'
import type { Payload } from '../runner.ts'

/** Identifies a proposal of a tenant. */
export interface Which extends WhichProposal {
  readonly tenant: string
}

/** A proposal whose payload is present. */
export type Decidable = StoredProposal & { readonly payload: Payload }

/**
 * Reads a proposal that is still open.
 * @throws {WaybillError} 'not-found' when it does not exist; 'not-approved' when it was erased, changed or already
 * decided.
 */
export async function decidable(
  tx: Tx,
  { tenant, mission, proposal }: Which,
  shown?: string,
): Promise<Decidable> {
  const found = await readProposal(tx, { mission, proposal })
  if (!found)
    throw new WaybillError(
      'not-found',
      `the mission ${mission} has no write-back proposal ${quote(proposal)}`,
      { hint: `${missionCommand('show', { tenant, mission })} lists its proposals` },
    )
  const { payload, digest, decision } = found
  if (decision) throw alreadyDecided(decision)
  if (!payload)
    throw new WaybillError('not-approved', `the proposal ${quote(proposal)} was erased`, {
      hint: 'submit a mission that proposes it again',
    })
  if (valueDigest(payload) !== digest)
    throw new WaybillError(
      'not-approved',
      `the proposal ${quote(proposal)} does not match its digest`,
    )
  if (shown !== undefined && shown !== digest)
    throw new WaybillError('not-approved', 'the proposal is not the one you were shown', {
      hint: `review it again: the digest of ${quote(proposal)} is ${digest}`,
    })
  return { ...found, payload }
}

/** Hex SHA-256 of the canonical JSON of a value; empty when it has no canonical form. */
export function valueDigest(value: unknown): string {
  const text = canonicalJson(value)
  return typeof text === 'string' ? createHash('sha256').update(text).digest('hex') : ''
}

/** The error for a second decision on a proposal. */
export function alreadyDecided(decision: StoredDecision): WaybillError {
  const { proposal, by, decidedAt, expiresAt, isExpired } = decision
  const gone =
    isExpired && expiresAt ? `, and the approval expired at ${expiresAt.toISOString()}` : ''
  return new WaybillError(
    'not-approved',
    `the proposal ${quote(proposal)} was ${decision.decision} by ${by} at ${decidedAt.toISOString()}${gone}`,
    {
      hint: 'a proposal can be decided only once: submit another mission that proposes it again',
    },
  )
}

/** Why the review of a mission blocks write-backs; undefined when it allows them. An erased review blocks them too. */
export async function whyNotReviewed(tx: Tx, mission: string): Promise<string | undefined> {
  const reviews = await listArtifacts(tx, 'review_packet', mission)
  if (reviews.length === 0) return 'the mission has not been reviewed'
  for (const { id, payload } of reviews) {
    if (!payload) return `its review ${quote(id)} was erased`
    const status = String(payload.review_status)
    if (!RELEASING.includes(status)) return `its review ${quote(id)} says ${status}`
  }
  return undefined
}

const RELEASING = ['approved', 'approved_with_edits']
