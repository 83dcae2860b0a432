import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { canonicalJson, type LogReader, type Receipt } from '../../ledger/index.ts'
import { digestValue } from '../digest.ts'
import { nameOfFirst } from '../entries/find.ts'
import { acceptedKey } from '../entries/keys.ts'
import { entryAt } from '../entries/lookup.ts'
import type { Predicates } from '../entries/predicates.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { PersonStanding } from '../people/person.ts'
import { APPROVED } from './approvals.ts'
import { claimsOf } from './claims.ts'

/** One handoff that a person approves or rejects. */
export interface Approvable {
  readonly handoff: string
  /** Canonical ids of the two agents, where known. */
  readonly from: string | null
  readonly to: string | null
  /** Hex SHA-256 of the document's canonical JSON (RFC 8785). */
  readonly sha256: string
}

/** A person's decision about a handoff. */
export interface Approval extends Approvable {
  readonly decision: 'approved' | 'rejected'
  readonly by: string
  readonly why: string
}

/** Returns what can be approved of any value; `undefined` without a handoff id. */
export function approvableIn(value: unknown): Approvable | undefined {
  const { handoff, source = null, target = null } = claimsOf(value)
  const sha256 = handoff === undefined ? undefined : digestValue(value)
  return handoff !== undefined && typeof sha256 === 'string'
    ? { handoff, from: source, to: target, sha256 }
    : undefined
}

/**
 * Returns the received documents with an id that wait for input, as recorded in the log.
 *
 * @throws {WaybillError} `conflict` when a handoff with the id was accepted already.
 */
export async function waitingUnder(log: LogReader, id: string): Promise<readonly Approvable[]> {
  const before = await nameOfFirst(log, acceptedKey(id))
  if (before !== undefined) {
    const entry = `${log.origin}#${before}`
    throw new WaybillError('conflict', `${id} is already accepted, as '${entry}'`, {
      hint: `nothing is waiting for approval; waybill trace ${id} shows who approved it`,
    })
  }
  const waiting = new Map<string, Approvable>()
  for (const index of await log.find(`id:${id}`)) {
    const entry = await entryAt(log, index)
    if (entry.is !== 'entry' || entry.kind !== 'handoff-needs-input') continue
    const says = entry.statement.predicate as unknown as Predicates['handoff-needs-input']
    const about = entry.statement.subject.find(({ name }) => name === APPROVED.handoff)
    const { from = null, to = null } = says
    if (about)
      waiting.set(about.digest.sha256, { handoff: id, from, to, sha256: about.digest.sha256 })
  }
  return [...waiting.values()]
}

/** The bytes that a person signs: canonical JSON, so that anyone can reproduce them. */
export function approvalText(
  { handoff, sha256, decision, by, why }: Approval,
  origin: string,
  at: number,
): string {
  const type = 'urn:waybill:statement:approval'
  const said = { type, origin, handoff, sha256, decision, by, why, at: formatInstant(at) }
  const text = canonicalJson(said)
  if (typeof text === 'string') return text
  throw new WaybillError('usage', `cannot sign this: ${text.fault}`)
}

/** Records that a person approves or rejects this document. */
export async function recordApproval(
  { handoff, from, to, sha256, decision, why }: Approval,
  person: PersonStanding,
  stated: string,
  gateway: Gateway,
): Promise<Receipt> {
  const { by, standing } = person
  const receipt = await gateway.record('approval', {
    subject: [{ name: APPROVED.handoff, digest: { sha256 } }],
    ids: { handoff },
    agents: [from, to].filter(agent => agent !== null),
    says: {
      ...{ decision, why, by, standing, stated },
      ...(person.standing === 'proved' && { proof: person.proof }),
    },
  })
  if ('taken' in receipt) throw new Error('an approval has no unique key')
  return receipt
}
