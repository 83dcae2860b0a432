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

/** One handoff as a person approves or rejects it. */
export interface Approvable {
  readonly handoff: string
  /** The two agents, by canonical id, as far as they are known. */
  readonly from: string | null
  readonly to: string | null
  /** Hex SHA-256 of the document's canonical JSON (RFC 8785), however it is written. */
  readonly sha256: string
}

/** What a person states about a handoff. */
export interface Approval extends Approvable {
  readonly decision: 'approved' | 'rejected'
  readonly by: string
  readonly why: string
}

/** What can be approved of a value that may be anything; `undefined` where it does not say which handoff it is. */
export function approvableIn(value: unknown): Approvable | undefined {
  const { handoff, source = null, target = null } = claimsOf(value)
  const sha256 = handoff === undefined ? undefined : digestValue(value)
  return handoff !== undefined && typeof sha256 === 'string'
    ? { handoff, from: source, to: target, sha256 }
    : undefined
}

/**
 * The documents that were received under an id and wait for input, as the log knows them: none, one or several.
 *
 * @throws WaybillError `conflict` where one was accepted: the id is taken, and nothing under it can be let in any more.
 */
export async function waitingUnder(log: LogReader, id: string): Promise<readonly Approvable[]> {
  const before = await nameOfFirst(log, acceptedKey(id))
  if (before !== undefined) {
    const entry = `${log.origin}#${before}`
    throw new WaybillError('conflict', `${id} was accepted already, as '${entry}'`, {
      hint: `nothing waits under that id any more; waybill trace ${id} shows who approved it`,
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

/** The words that a person signs: canonical JSON, so that anybody can write them again. */
export function approvalText(
  { handoff, sha256, decision, by, why }: Approval,
  origin: string,
  at: number,
): string {
  const type = 'urn:waybill:statement:approval'
  const said = { type, origin, handoff, sha256, decision, by, why, at: formatInstant(at) }
  const text = canonicalJson(said)
  if (typeof text === 'string') return text
  throw new WaybillError('usage', `this cannot be signed: ${text.fault}`)
}

/** Records that a person approves or rejects exactly this document. */
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
