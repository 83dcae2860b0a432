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

/** Kinds of entries that hold what an agent has signed. */
export const BY_SENDERS: readonly EntryKind[] = ['handoff-accepted']

/** What the words that a person signed have to say, by the kind of the entry that records them. */
const BY_PEOPLE: Readonly<Partial<Record<EntryKind, (statement: Statement) => Says>>> = {
  approval: ({ predicate: { ids, decision, why }, ...rest }) => ({
    ...{ handoff: partsOf(ids).handoff, sha256: aboutIn(rest), decision, why },
  }),
  reconciliation: ({ predicate: { agent, why, old, new: now } }) => ({ agent, why, old, new: now }),
  erasure: ({ predicate: { digest, index, reason: why } }) => ({ digest, index, why }),
  'task-answer': ({ predicate: { ids }, ...rest }) => ({
    ...{ mission: partsOf(ids).mission, sha256: aboutIn(rest) },
    // An id that could be no key of the index is left out of the ids.
    ...('task' in partsOf(ids) && { task: partsOf(ids).task }),
  }),
  'writeback-decision': ({ predicate: { ids, proposal, decision, why, expires }, ...rest }) => ({
    ...{ mission: partsOf(ids).mission, proposal, decision, why, expires },
    sha256: aboutIn(rest),
  }),
}

/** Kinds of entries that record what a person has stated. */
export const STATED: readonly EntryKind[] = Object.keys(BY_PEOPLE) as EntryKind[]

/** Kinds that are recorded later where a process was killed before it could. */
const LATE: readonly EntryKind[] = ['writeback-decision']
/** How long a person may take to sign, and by how much two clocks may differ, in milliseconds. */
const [LONGEST, SKEW] = [86_400_000, 30_000]

const isTimely = (kind: EntryKind, late: number) =>
  late >= -SKEW && (late <= LONGEST || LATE.includes(kind))

const aboutIn = ({ subject }: Pick<Statement, 'subject'>) => subject[0]?.digest.sha256

/** What nobody has shown to have been said. */
export interface Unproved {
  readonly code: AuditCode
  readonly detail: string
}

/** Whom entries are held against. */
export interface Listeners {
  readonly trust: Trust
  readonly origin: string
  /** Of another log, whose people nobody needs to have listed here. */
  readonly isForeign: boolean
}

/** Why a key does not show that the person of an entry has stated it; nothing where it does, or where it need not. */
export function whyUnstated(
  kind: EntryKind,
  statement: Statement,
  { trust, origin, isForeign }: Listeners,
): Unproved | undefined {
  const { by, standing, stated, proof } = statement.predicate
  if (standing !== 'proved') return undefined
  const unproved = (why: string): Unproved => ({
    code: 'ledger/unproved-statement',
    detail: `nothing shows that ${String(by)} stated it: ${why}`,
  })
  if (typeof stated !== 'string' || !isProof(proof) || proof.by !== by)
    return unproved('there is no signature of theirs')
  if (isForeign && !trust.byId(proof.keyid))
    return {
      code: 'ledger/unknown-person',
      detail: `nobody here has listed the key ${proof.keyid.slice(0, 12)} of ${String(by)}`,
    }
  const said = read(stated)
  const wanted = { ...BY_PEOPLE[kind]?.(statement), by, origin }
  const others = Object.entries(wanted).filter(
    ([name, value]) => !isDeepStrictEqual(said[name] ?? null, value ?? null),
  )
  if (said.type !== `urn:waybill:statement:${kind}` || others.length > 0) {
    const what = others.length > 0 ? listed(others.map(([name]) => name)) : 'type'
    return unproved(`what was signed says otherwise (${what})`)
  }
  const at = typeof said.at === 'string' ? parseInstant(said.at) : undefined
  const recorded = parseInstant(String(statement.predicate.at))
  if (at === undefined || recorded === undefined || !isTimely(kind, recorded - at))
    return unproved('it was not signed within the day before it was recorded')
  const verdict = verifyStatement(proof, new TextEncoder().encode(stated), trust, at)
  return 'fault' in verdict ? unproved(verdict.fault) : undefined
}

/** Why the sender of an accepted handoff has not signed it; nothing where it has, or where it need not. */
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
  // Until it was its turn to be recorded, an envelope that was received in time may have expired.
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
