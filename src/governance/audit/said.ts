import { isDeepStrictEqual } from 'node:util'
import { listed } from '../../contract/index.ts'
import { parseInstant } from '../../document/index.ts'
import { canonicalJson, type Statement } from '../../ledger/index.ts'
import { digestValue } from '../digest.ts'
import { openEnvelope, verifyEnvelope } from '../envelope/verify.ts'
import { type Proof, verifyStatement } from '../people/statement.ts'
import type { Trust } from '../trust/trust.ts'
import type { EntryKind } from '../urn.ts'
import type { AuditCode } from './codes.ts'

export type Says = Readonly<Record<string, unknown>>

/** Kinds of entries that hold an agent's signature. */
export const BY_SENDERS: readonly EntryKind[] = ['handoff-accepted']

/** The fields that a person's signed statement must have, by the kind of the entry that records it. */
const BY_PEOPLE: Readonly<Partial<Record<EntryKind, (statement: Statement) => Says>>> = {
  approval: ({ predicate: { ids, decision, why }, ...rest }) => ({
    ...{ handoff: partsOf(ids).handoff, sha256: aboutIn(rest), decision, why },
  }),
  reconciliation: ({ predicate: { agent, why, old, new: now } }) => ({ agent, why, old, new: now }),
  erasure: ({ predicate: { digest, index, reason: why } }) => ({ digest, index, why }),
  'task-answer': ({ predicate: { ids }, ...rest }) => ({
    ...{ mission: partsOf(ids).mission, sha256: aboutIn(rest) },
    // Ids that are not valid index keys are left out of `ids`.
    ...('task' in partsOf(ids) && { task: partsOf(ids).task }),
  }),
  'writeback-decision': ({ predicate: { ids, proposal, decision, why, expires }, ...rest }) => ({
    ...{ mission: partsOf(ids).mission, proposal, decision, why, expires },
    sha256: aboutIn(rest),
  }),
}

/** Kinds of entries that record a person's statement. */
export const STATED: readonly EntryKind[] = Object.keys(BY_PEOPLE) as EntryKind[]

/** Kinds that may be recorded late, after a process was killed. */
const LATE: readonly EntryKind[] = ['writeback-decision']
/** The longest time between signing and recording, and the clock skew allowed, in milliseconds. */
const [LONGEST, SKEW] = [86_400_000, 30_000]

const isTimely = (kind: EntryKind, late: number) =>
  late >= -SKEW && (late <= LONGEST || LATE.includes(kind))

const aboutIn = ({ subject }: Pick<Statement, 'subject'>) => subject[0]?.digest.sha256

/** Why a statement is not proved. */
export interface Unproved {
  readonly code: AuditCode
  readonly detail: string
}

/** What the statements in entries are verified against. */
export interface Listeners {
  readonly trust: Trust
  readonly origin: string
  /** Whether the log belongs to another repository, whose people need not be listed here. */
  readonly isForeign: boolean
}

/** Returns why an entry's statement is not proved; undefined if it is, or if no proof is needed. */
export function whyUnstated(
  kind: EntryKind,
  statement: Statement,
  { trust, origin, isForeign }: Listeners,
): Unproved | undefined {
  const { by, standing, stated, proof } = statement.predicate
  if (standing !== 'proved') return undefined
  const unproved = (why: string): Unproved => ({
    code: 'ledger/unproved-statement',
    detail: `the statement of ${String(by)} is not proved: ${why}`,
  })
  if (typeof stated !== 'string' || !isProof(proof) || proof.by !== by)
    return unproved('it has no signature of theirs')
  if (isForeign && !trust.byId(proof.keyid))
    return {
      code: 'ledger/unknown-person',
      detail: `the key ${proof.keyid.slice(0, 12)} of ${String(by)} is not listed here`,
    }
  const said = read(stated)
  const wanted = { ...BY_PEOPLE[kind]?.(statement), by, origin }
  const others = Object.entries(wanted).filter(
    ([name, value]) => !isDeepStrictEqual(said[name] ?? null, value ?? null),
  )
  if (said.type !== `urn:waybill:statement:${kind}` || others.length > 0) {
    const what = others.length > 0 ? listed(others.map(([name]) => name)) : 'type'
    return unproved(`the signed statement differs from the entry (${what})`)
  }
  const at = typeof said.at === 'string' ? parseInstant(said.at) : undefined
  const recorded = parseInstant(String(statement.predicate.at))
  if (at === undefined || recorded === undefined || !isTimely(kind, recorded - at))
    return unproved('it was not signed within the day before it was recorded')
  const verdict = verifyStatement(proof, new TextEncoder().encode(stated), trust, at)
  return 'fault' in verdict ? unproved(verdict.fault) : undefined
}

/** Returns why the sender's signature on an accepted handoff is invalid; undefined if it is valid or not needed. */
export async function whyUnsent(
  { predicate: { at, from, to, document, envelope, attestation } }: Statement,
  { trust }: Listeners,
): Promise<Unproved | undefined> {
  if (envelope === null && partsOf(attestation).envelope === null) return undefined
  const text = canonicalJson(envelope)
  const handoff = digestValue(document)
  const { lock, manifest } = partsOf(attestation)
  const digestIn = (file: unknown) => (partsOf(file).sha256 as string | undefined) ?? null
  const opened = await openEnvelope(typeof text === 'string' ? text : '', trust)
  const { diagnostics } = verifyEnvelope(opened, {
    at: parseInstant(String(at)) ?? Number.NaN,
    ...{ source: String(from), target: String(to) },
    handoff: typeof handoff === 'string' ? handoff : '',
    ...{ lock: digestIn(lock), manifest: digestIn(manifest) },
  })
  // An envelope received in time may expire before its entry is recorded.
  const [why] = diagnostics.filter(({ code }) => code !== 'envelope/expired')
  return why && { code: 'ledger/unproved-sender', detail: `${why.message} [${why.code}]` }
}

function isProof(value: unknown): value is Proof {
  const { by, method, keyid, signature } = partsOf(value)
  const isKnown = method === 'sshsig' || method === 'ecdsa-p256'
  return isKnown && [by, keyid, signature].every(part => typeof part === 'string')
}

function read(text: string): Says {
  try {
    return partsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

function partsOf(value: unknown): Says {
  return typeof value === 'object' && value !== null ? (value as Says) : {}
}
