import { createHash } from 'node:crypto'
import { WaybillError } from '../../error.ts'
import { canonicalJson } from '../../ledger/index.ts'
import type { MissionArtifact, MissionSnapshot } from '../../store/index.ts'
import { sha256 } from '../../workspace/index.ts'

/** The format name in the first line of a bundle. */
export const FORMAT = 'waybill-mission-bundle'
/** The bundle version that this module reads and writes. */
export const VERSION = 'v1'

/** The kinds of lines between head and manifest, in order. */
export const PARTS = ['artifact', 'run', 'task', 'output', 'toolCall', 'decision', 'entry'] as const

/** A kind of line between head and manifest. */
export type PartName = (typeof PARTS)[number]

/** A log entry with its inclusion proof. */
export interface ProvedEntry {
  readonly index: number
  /** The stored line of the entry: the signed envelope, or its tombstone. */
  readonly content: string
  /** Base64, like the hashes of the proof. */
  readonly leaf: string
  readonly proof: readonly string[]
}

/** The log that the entries come from. */
export interface BundledLog {
  readonly origin: string
  /** The signed note that all proofs are checked against. */
  readonly checkpoint: string
}

/** The content of a bundle. */
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
 * Writes a bundle line by line, with line ends; the same content gives the same bytes. Each line is canonical JSON (RFC
 * 8785) with its kind in `part`: the head, artifacts, the states of the mission and its tasks, outputs, tool calls,
 * decisions, log entries and the manifest. The payload of an artifact is the canonical text of its digest. `root`
 * identifies the mission independently of log and time; `sha256` of the manifest covers every byte before it.
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

/** Returns the root digest that the bundle of a mission has. */
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

/** The root excludes log entries: they are evidence, not part of the mission. */
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

/** Sorts by code units, which does not depend on a database or locale. */
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
  throw new WaybillError('usage', `the mission cannot be exported as a bundle: ${text.fault}`)
}
