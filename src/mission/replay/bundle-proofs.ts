import { WaybillError } from '../../error.ts'
import {
  type AuditTrust,
  auditEntry,
  contentAt,
  digestBytes,
  Keyring,
  mustBeAsRecorded,
  openTrusted,
  readEntry,
} from '../../governance/index.ts'
import {
  type Checkpoint,
  decodeBundle,
  fromBase64,
  type Hash,
  inclusionProof,
  isIncluded,
  type Log,
  type LogReader,
  leafHash,
  parseCheckpoint,
  parseNote,
  type SignedCheckpoint,
  TILE_WIDTH,
  tileAt,
  toBase64,
} from '../../ledger/index.ts'
import type { MissionSnapshot } from '../../store/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { decisionId } from '../approvals/record.ts'
import type { BundledLog, ProvedEntry } from './bundle-lines.ts'
import type { Difference } from './codes.ts'
import type { Pause } from './pause.ts'

/** The log entries of a mission with their proofs. */
export interface Proved {
  readonly log: BundledLog | null
  readonly entries: readonly ProvedEntry[]
}

/** What to prove. */
interface Proving {
  readonly snapshot: MissionSnapshot
  readonly tenant: string
  /** The number of log entries before the mission was read. */
  readonly known: number
}

/** Reads all log entries about a mission, each with its inclusion proof under the newest checkpoint. */
export async function proveMission(proving: Proving, log: LogReader): Promise<Proved> {
  const signed = await checkpointOf(log)
  if (!signed) return { log: null, entries: [] }
  const { size } = signed.checkpoint
  const indices = (await indicesOf(proving, log)).filter(index => index < size)
  const leaves = new Leaves(log, size)
  const entries: ProvedEntry[] = []
  for (const index of indices) {
    const content = (await contentAt(log, index)) ?? ''
    mustBeAsRecorded(readEntry(content), index)
    const proof = await inclusionProof(digestBytes, size, index, tile => log.tile(tile))
    const leaf = toBase64(await leaves.at(index))
    entries.push({ index, content, leaf, proof: proof.map(toBase64) })
  }
  return { log: { origin: log.origin, checkpoint: signed.note }, entries }
}

/** A writable log first publishes a checkpoint of all accepted entries. */
function checkpointOf(log: LogReader): Promise<SignedCheckpoint | undefined> {
  return 'covered' in log ? (log as Log).covered() : log.checkpoint()
}

async function indicesOf(
  { snapshot: { mission, tasks, decisions }, tenant, known }: Proving,
  log: LogReader,
): Promise<readonly number[]> {
  const keys = new Set([
    ...tasks.flatMap(({ handoff }) => (handoff === null ? [] : [`id:${handoff}`])),
    ...decisions.flatMap(({ entry }) => (entry === null ? [] : [`digest:${entry}`])),
    ...decisions.flatMap(({ proposal, outcome }) =>
      outcome ? [`written-back:${decisionId({ tenant, mission, proposal })}`] : [],
    ),
  ])
  // Entries recorded after the mission was read describe changes that it lacks.
  const found = new Set((await log.find(`id:${mission}`)).filter(index => index < known))
  for (const key of keys) for (const index of await log.find(key)) found.add(index)
  return [...found].sort((a, b) => a - b)
}

/** Reads leaves, caching the current bundle file. */
class Leaves {
  readonly #log: LogReader
  readonly #size: number
  #number = -1
  #leaves: readonly Uint8Array[] = []

  constructor(log: LogReader, size: number) {
    this.#log = log
    this.#size = size
  }

  async at(index: number): Promise<Uint8Array> {
    const number = Math.floor(index / TILE_WIDTH)
    if (number !== this.#number) {
      this.#leaves = decodeBundle(await this.#log.tile(tileAt('entries', number, this.#size))) ?? []
      this.#number = number
    }
    const leaf = this.#leaves[index % TILE_WIDTH]
    if (leaf) return leaf
    throw new WaybillError('ledger-tampered', `entry ${index} cannot be read`, {
      hint: 'run waybill log verify for all faults',
    })
  }
}

/** Checks bundled entries: signatures, leaves, proofs and the checkpoint. */
export async function* inProofs(
  { log, entries }: Proved,
  trust: AuditTrust | undefined,
  pause: Pause,
): AsyncIterable<Difference> {
  if (!log) {
    if (trust || entries.length > 0)
      yield { code: 'bundle/no-evidence', path: '', message: 'the bundle contains no log' }
    return
  }
  const opened = openNote(log, trust)
  if (typeof opened === 'string') {
    yield { code: 'bundle/checkpoint', path: '/lines/0', message: opened }
    return
  }
  const keyring = new Keyring(trust?.entries(log.origin), sha256)
  for (const entry of entries) {
    await pause()
    const fault = whyUnproved(entry, opened, keyring)
    if (fault) yield { code: 'bundle/entry', path: `/entries/${entry.index}`, message: fault }
  }
}

function openNote({ origin, checkpoint: note }: BundledLog, trust: AuditTrust | undefined) {
  let checkpoint: Checkpoint
  if (trust) {
    const opened = openTrusted(note, trust)
    if ('code' in opened) return `${opened.code}: ${opened.detail}`
    checkpoint = opened.checkpoint
  } else {
    const read = parseNote(note)
    const parsed = 'fault' in read ? read : parseCheckpoint(read.text)
    if ('fault' in parsed) return parsed.fault
    checkpoint = parsed
  }
  return checkpoint.origin === origin ? checkpoint : 'the checkpoint belongs to another log'
}

function whyUnproved(
  { index, content, leaf: leafText, proof: texts }: ProvedEntry,
  { size, root }: Checkpoint,
  keyring: Keyring,
): string | undefined {
  const leaf = fromBase64(leafText) ?? new Uint8Array()
  const proof: Hash[] = texts.map(text => fromBase64(text) ?? new Uint8Array())
  if (!isIncluded(digestBytes, { index, size, leaf: leafHash(digestBytes, leaf), proof, root }))
    return 'the checkpoint does not cover the entry'
  const audited = auditEntry({ index, leaf, content: Buffer.from(content) }, keyring)
  return 'code' in audited ? `${audited.code}: ${audited.detail}` : undefined
}
