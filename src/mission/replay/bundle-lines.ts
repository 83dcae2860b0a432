import { createHash } from 'node:crypto'
import { WaybillError } from '../../error.ts'
import { canonicalJson } from '../../ledger/index.ts'
import type { MissionArtifact, MissionSnapshot } from '../../store/index.ts'
import { sha256 } from '../../workspace/index.ts'

/** How the first line of a bundle says what follows. */
export const FORMAT = 'waybill-mission-bundle'
/** The version of bundles that is written and read here. */
export const VERSION = 'v1'

/** What stands between the head of a bundle and its manifest, in this order. */
export const PARTS = ['artifact', 'run', 'task', 'output', 'toolCall', 'decision', 'entry'] as const

/** A sort of line between head and manifest. */
export type PartName = (typeof PARTS)[number]

/** An entry of a log, with what shows that it stands there. */
export interface ProvedEntry {
  readonly index: number
  /** The line that stands beside the leaf: the signed envelope, or the tombstone in its place. */
  readonly content: string
  /** Base64, as the hashes of the proof. */
  readonly leaf: string
  readonly proof: readonly string[]
}

/** The log that entries were taken from. */
export interface BundledLog {
  readonly origin: string
  /** The signed note that all proofs lead to. */
  readonly checkpoint: string
}

/** Everything that a bundle holds. */
export interface BundleContent {
  readonly tenant: string
  /** ISO 8601. */
  readonly exportedAt: string
  readonly log: BundledLog | null
  readonly snapshot: MissionSnapshot
  readonly entries: readonly ProvedEntry[]
}

type Line = Readonly<Record<string, unknown>>

interface Counted {
  readonly count: number
  readonly sha256: string
}

/**
 * Writes a bundle, line by line with line ends; the same content gives the same bytes.
 *
 * Each line is canonical JSON (RFC 8785) and says as `part` what it is: the head, artifacts, the state of the mission
 * and of its tasks, outputs, tool calls, decisions, log entries, and the manifest. The payload of an artifact is the
 * canonical text that its digest is of. `root` names the mission whatever log and time stand beside it; `sha256` of the
 * manifest covers every byte before it.
 */
export function* bundleLines(content: BundleContent): Generator<string> {
  const { tenant, exportedAt, log, snapshot } = content
  const { mission } = snapshot
  const head = { format: FORMAT, version: VERSION, mission, tenant }
  const whole = createHash('sha256')
  const first = lineOf({ part: 'bundle', ...head, exportedAt, log })
  whole.update(first)
  yield first
  const digests: Partial<Record<PartName, Counted>> = {}
  for (const part of PARTS) {
    const own = createHash('sha256')
    let count = 0
    for (const line of linesOf(part, content)) {
      own.update(line)
      whole.update(line)
      count++
      yield line
    }
    digests[part] = { count, sha256: own.digest('hex') }
  }
  const root = rootIn(head, digests)
  yield lineOf({
    part: 'manifest',
    ...head,
    parts: digests,
    root,
    sha256: whole.digest('hex'),
  })
}

/** Names a mission as it is: the root digest that its bundle has. */
export function rootOf(snapshot: MissionSnapshot, tenant: string): string {
  const { mission } = snapshot
  const digests: Partial<Record<PartName, Counted>> = {}
  for (const part of PARTS) {
    const own = createHash('sha256')
    let count = 0
    for (const line of linesOf(part, { snapshot, entries: [] })) {
      own.update(line)
      count++
    }
    digests[part] = { count, sha256: own.digest('hex') }
  }
  return rootIn({ format: FORMAT, version: VERSION, mission, tenant }, digests)
}

/** The entries of a log are evidence of a mission, and no part of it. */
function rootIn(head: Line, { entry: _, ...parts }: Partial<Record<PartName, Counted>>): string {
  return sha256(lineOf({ ...head, parts }))
}

function* linesOf(
  part: PartName,
  { snapshot, entries }: Pick<BundleContent, 'snapshot' | 'entries'>,
): Generator<string> {
  for (const line of partsOf(part, snapshot, entries)) yield lineOf({ part, ...line })
}

function partsOf(
  part: PartName,
  { artifacts, run, tasks, outputs, toolCalls, decisions }: MissionSnapshot,
  entries: readonly ProvedEntry[],
): readonly object[] {
  switch (part) {
    case 'artifact':
      return ordered(artifacts.map(artifactLine), ({ name, id }) => [name, id])
    case 'run':
      return [run]
    case 'task':
      return ordered(tasks, ({ position, task }) => [position, task])
    case 'output':
      return ordered(outputs, ({ task, position }) => [task, position])
    case 'toolCall':
      return ordered(toolCalls, ({ ref }) => [ref])
    case 'decision':
      return ordered(decisions, ({ proposal }) => [proposal])
    case 'entry':
      return ordered(entries, ({ index }) => [index])
  }
}

function artifactLine({ payload, ...artifact }: MissionArtifact) {
  return { ...artifact, payload: payload === null ? null : canonical(payload) }
}

/** By the code units of texts: databases and languages differ in how they sort. */
function ordered<T>(list: readonly T[], keysOf: (item: T) => readonly (string | number)[]) {
  const keyed = list.map(item => ({ item, keys: keysOf(item) }))
  keyed.sort((a, b) => {
    const at = a.keys.findIndex((key, i) => key !== b.keys[i])
    const [one, other] = [a.keys[at], b.keys[at]]
    if (one === undefined || other === undefined) return 0
    return one < other ? -1 : 1
  })
  return keyed.map(({ item }) => item)
}

function lineOf(value: unknown): string {
  return `${canonical(value)}\n`
}

function canonical(value: unknown): string {
  const text = canonicalJson(value)
  if (typeof text === 'string') return text
  throw new WaybillError('usage', `the mission cannot be written as a bundle: ${text.fault}`)
}
