import { WaybillError } from '../../error.ts'
import {
  COSIGNATURE,
  cosignatureVerifier,
  formatNote,
  isQuorumMet,
  keyOf,
  type Log,
  type Note,
  type NoteSignature,
  parseCosignature,
  parseNote,
  type SignedCheckpoint,
  type VerifierKey,
  type WitnessPolicy,
} from '../../ledger/index.ts'
import { type Asked, askWitness } from './ask.ts'
import type { WitnessFault } from './codes.ts'
import { verifyEd25519 } from './ed25519.ts'
import type { Memory } from './memory.ts'
import type { Patience } from './post.ts'

/** A witness of a policy, and whether it cosigned a checkpoint. */
export interface Witnessed {
  /** Its name in the policy. */
  readonly name: string
  readonly key: VerifierKey
  readonly url: string | undefined
  /** When it cosigned the checkpoint, in seconds since the epoch; absent if it did not. */
  readonly time: number | undefined
}

/** A witness with the result of asking it. */
export interface AskedOne extends Witnessed {
  readonly fault: WitnessFault | undefined
}

/** A checkpoint and its cosignatures. */
export interface Gathered {
  readonly signed: SignedCheckpoint
  /** Whether the cosignatures were published with the checkpoint; false if the log grew meanwhile. */
  readonly published: boolean
  readonly witnesses: readonly AskedOne[]
  readonly met: boolean
}

/** The inputs for asking the witnesses of a policy. */
export interface Gathering {
  readonly policy: WitnessPolicy
  readonly memory: Memory
  readonly patience: Patience
  /** The log's own keys, as `<name>+<id>`. */
  readonly own: ReadonlySet<string>
}

/** How often witnesses are asked again while the log grows. */
const MOST_ROUNDS = 3

/** Asks all witnesses of a policy to cosign the newest checkpoint, and publishes the cosignatures. */
export async function gatherCosignatures(log: Log, gathering: Gathering): Promise<Gathered> {
  let gathered = await askAll(log, gathering)
  for (let round = 1; round < MOST_ROUNDS && !gathered.published; round++)
    gathered = await askAll(log, gathering)
  return gathered
}

async function askAll(log: Log, { policy, memory, patience, own }: Gathering): Promise<Gathered> {
  const signed = await log.covered()
  const note = mustParse(signed)
  const ours = { ...note, signatures: note.signatures.filter(one => own.has(keyOf(one))) }
  const question = { log, signed, note: ours, memory, patience }
  const asking = [...policy.witnesses].map(
    async ([name, party]) => [name, await askWitness(party, question)] as const,
  )
  const answers = new Map(await Promise.all(asking))
  const fresh = [...answers.values()].flatMap(one => ('code' in one ? [] : one.signatures))
  const published = fresh.length === 0 ? signed : await log.cosign(note.text, fresh)
  const shown = published ?? { ...signed, note: withFresh(note, fresh) }
  const witnesses = await witnessesOf(shown, policy)
  return {
    signed: shown,
    published: published !== undefined,
    witnesses: witnesses.map(one => ({ ...one, fault: faultIn(answers.get(one.name)) })),
    met: isMet(policy, witnesses),
  }
}

const faultIn = (asked: Asked | undefined) => (asked && 'code' in asked ? asked : undefined)

function mustParse({ note }: SignedCheckpoint): Note {
  const parsed = parseNote(note)
  if ('fault' in parsed) throw new WaybillError('internal', 'a checkpoint is not a note')
  return parsed
}

function withFresh({ text, signatures }: Note, fresh: readonly NoteSignature[]): string {
  const replaced = new Set(fresh.map(keyOf))
  return formatNote(text, [...signatures.filter(one => !replaced.has(keyOf(one))), ...fresh])
}

/** Whether enough witnesses cosigned a checkpoint for the policy. */
export function isMet(policy: WitnessPolicy, witnesses: readonly Witnessed[]): boolean {
  const verified = witnesses.filter(({ time }) => time !== undefined)
  return isQuorumMet(
    policy,
    verified.map(({ key }) => keyOf(key)),
  )
}

/** The witnesses of a policy that cosigned a checkpoint; ignores invalid signatures. */
export async function witnessesOf(
  { note }: Pick<SignedCheckpoint, 'note'>,
  policy: WitnessPolicy,
): Promise<readonly Witnessed[]> {
  const parsed = parseNote(note)
  const witnessed: Witnessed[] = []
  for (const [name, { key, url }] of policy.witnesses) {
    const time = 'fault' in parsed ? undefined : await timeOf(parsed, key)
    witnessed.push({ name, key, url, time })
  }
  return witnessed
}

async function timeOf({ text, signatures }: Note, key: VerifierKey): Promise<number | undefined> {
  const verifier = cosignatureVerifier(key, verifyEd25519)
  const message = new TextEncoder().encode(text)
  const own = signatures.filter(one => key.type === COSIGNATURE && keyOf(one) === keyOf(key))
  for (const { bytes } of own)
    if (await verifier.verify(message, bytes)) return parseCosignature(bytes)?.time
  return undefined
}
