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

/** A proposal of a tenant. */
export interface Which extends WhichProposal {
  readonly tenant: string
}

/** A proposal that can be decided on. */
export type Decidable = StoredProposal & { readonly payload: Payload }

/**
 * The proposal that is meant, if somebody may decide on it still.
 *
 * @throws WaybillError where there is none such, it was erased, it is not what was shown, or it was decided on before.
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
      { hint: `${missionCommand('show', { tenant, mission })} shows those that it has` },
    )
  const { payload, digest, decision } = found
  if (decision) throw alreadyDecided(decision)
  if (!payload)
    throw new WaybillError('not-approved', `the proposal ${quote(proposal)} was erased`, {
      hint: 'what nobody can read nobody can decide on: let it be proposed anew',
    })
  if (valueDigest(payload) !== digest)
    throw new WaybillError(
      'not-approved',
      `the proposal ${quote(proposal)} is not what its digest says`,
    )
  if (shown !== undefined && shown !== digest)
    throw new WaybillError('not-approved', 'the proposal is not the one that was shown', {
      hint: `look at it again: the digest of ${quote(proposal)} is ${digest}`,
    })
  return { ...found, payload }
}

/** Hex SHA-256 of the canonical JSON of a value; empty where it has none. */
export function valueDigest(value: unknown): string {
  const text = canonicalJson(value)
  return typeof text === 'string' ? createHash('sha256').update(text).digest('hex') : ''
}

/** What is said to whoever comes second. */
export function alreadyDecided(decision: StoredDecision): WaybillError {
  const { proposal, by, decidedAt, expiresAt, isExpired } = decision
  const gone =
    isExpired && expiresAt ? `, and the approval expired at ${expiresAt.toISOString()}` : ''
  return new WaybillError(
    'not-approved',
    `the proposal ${quote(proposal)} was ${decision.decision} by ${by} at ${decidedAt.toISOString()}${gone}`,
    {
      hint: 'a proposal is decided on once: for another decision, let another mission propose it anew',
    },
  )
}

/**
 * Why nothing of a mission may be written back, as its review has it; undefined where it may.
 *
 * A review that was erased, and one that asks for changes, lets out nothing either.
 */
export async function whyNotReviewed(tx: Tx, mission: string): Promise<string | undefined> {
  const reviews = await listArtifacts(tx, 'review_packet', mission)
  if (reviews.length === 0) return 'the mission has not been reviewed'
  for (const { id, payload } of reviews) {
    if (!payload) return `its review ${quote(id)} was erased`
    const status = String(payload.review_status)
    if (!LETS_OUT.includes(status)) return `its review ${quote(id)} says ${status}`
  }
  return undefined
}

const LETS_OUT = ['approved', 'approved_with_edits']
