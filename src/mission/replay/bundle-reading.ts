import { createHash } from 'node:crypto'
import { parseCanonicalJson } from '../../ledger/index.ts'
import type {
  MissionArtifact,
  MissionDecision,
  MissionRun,
  MissionSnapshot,
  MissionTask,
} from '../../store/index.ts'
import { holdsNull } from '../null-characters.ts'
import { sortOf } from '../plan/artifacts.ts'
import {
  type BundleContent,
  type BundledLog,
  bundleLines,
  type PartName,
  type ProvedEntry,
  VERSION,
} from './bundle-lines.ts'
import { type BundleLine, bundleLine } from './bundle-shapes.ts'
import type { Difference } from './codes.ts'

const MIB = 2 ** 20
/** The largest bundle, in bytes. */
export const LARGEST_BUNDLE = 512 * MIB
const MOST_IN_LINE = 64 * MIB
/** Contracts compare every artifact with every other. */
const MOST_ARTIFACTS = 50_000
const MOST_LINES = 2_000_000
const LINE_END = 0x0a

/** The content and root digest of a valid bundle, or why it is invalid. */
export type ReadBundle =
  | { readonly content: BundleContent; readonly root: string }
  | { readonly differences: readonly [Difference, ...Difference[]] }

/** Parses a bundle; rejects bytes that this version would not have written. */
export function readBundle(bytes: Uint8Array): ReadBundle {
  if (bytes.length > LARGEST_BUNDLE)
    return refused('bundle/too-large', '', `the bundle has ${bytes.length} bytes`)
  const parts: BundleLine[] = []
  for (const [i, line] of linesIn(bytes)) {
    const read = readLine(line, i)
    if ('code' in read) return { differences: [read] }
    if (read.part === 'bundle' && read.value.version !== VERSION)
      return refused('bundle/version', `/lines/${i}`, 'unknown bundle version')
    parts.push(read)
    if (parts.length > MOST_LINES)
      return refused('bundle/too-large', '', `the bundle has more than ${MOST_LINES} lines`)
  }
  const content = contentOf(parts)
  if ('code' in content) return { differences: [content] }
  const fault = whyOther(content, bytes)
  if (fault) return { differences: [fault] }
  return { content, root: String(parts.at(-1)?.value.root) }
}

/** The mission of an intact bundle; undefined for any other bytes. */
export function bundledMission(bytes: Uint8Array): string | undefined {
  if (bytes.length > LARGEST_BUNDLE || bytes.at(-1) !== LINE_END) return undefined
  const from = bytes.lastIndexOf(LINE_END, -2) + 1
  const manifest = readLine(bytes.subarray(from), 0)
  if ('code' in manifest || manifest.part !== 'manifest') return undefined
  const before = createHash('sha256').update(bytes.subarray(0, from)).digest('hex')
  return manifest.value.sha256 === before ? String(manifest.value.mission) : undefined
}

function refused(code: Difference['code'], path: string, message: string) {
  return { differences: [{ code, path, message }] as const }
}

function malformed(line: number, message: string): Difference {
  return { code: 'bundle/malformed', path: `/lines/${line}`, message }
}

/** Splits into numbered lines; the last may lack its line end. */
function* linesIn(bytes: Uint8Array): Generator<readonly [number, Uint8Array]> {
  let number = 0
  for (let from = 0; from < bytes.length; number++) {
    const end = bytes.indexOf(LINE_END, from)
    const next = end < 0 ? bytes.length : end + 1
    yield [number, bytes.subarray(from, next)]
    from = next
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readLine(line: Uint8Array, number: number): BundleLine | Difference {
  if (line.length > MOST_IN_LINE)
    return { ...malformed(number, `the line has ${line.length} bytes`), code: 'bundle/too-large' }
  if (line.at(-1) !== LINE_END) return malformed(number, 'the line has no end')
  let text: string
  try {
    text = decoder.decode(line.subarray(0, -1))
  } catch {
    return malformed(number, 'the line is not UTF-8')
  }
  if (holdsNull(text))
    return malformed(number, 'the line contains U+0000, which the database cannot store')
  const parsed = parseCanonicalJson(text)
  if ('fault' in parsed) return malformed(number, `the line ${parsed.fault}`)
  const read = bundleLine(parsed.value)
  return read ?? malformed(number, 'the line does not have exactly the fields of a bundle line')
}

function contentOf(lines: readonly BundleLine[]): BundleContent | Difference {
  const [head, ...rest] = lines
  const manifest = rest.pop()
  if (head?.part !== 'bundle') return malformed(0, 'the first line is not the head of a bundle')
  if (manifest?.part !== 'manifest')
    return malformed(lines.length - 1, 'the last line is not the manifest of a bundle')
  const byPart = new Map<PartName, Readonly<Record<string, unknown>>[]>()
  for (const [i, { part, value }] of rest.entries()) {
    if (part === 'bundle' || part === 'manifest')
      return malformed(i + 1, `the bundle has a second ${part} line`)
    const list = byPart.get(part)
    if (list) list.push(value)
    else byPart.set(part, [value])
  }
  const of = (part: PartName) => (byPart.get(part) ?? []) as readonly unknown[]
  const artifacts = artifactsIn(byPart.get('artifact') ?? [])
  if ('code' in artifacts) return artifacts
  if (of('run').length !== 1) return malformed(0, 'the bundle must have exactly one run line')
  const { mission, tenant, exportedAt, log } = head.value
  return {
    tenant: String(tenant),
    exportedAt: String(exportedAt),
    log: log as BundledLog | null,
    entries: of('entry') as readonly ProvedEntry[],
    snapshot: {
      mission: String(mission),
      artifacts,
      run: of('run')[0] as MissionRun,
      tasks: of('task') as readonly MissionTask[],
      outputs: of('output') as MissionSnapshot['outputs'],
      toolCalls: of('toolCall') as MissionSnapshot['toolCalls'],
      decisions: of('decision') as readonly MissionDecision[],
    },
  }
}

function artifactsIn(
  lines: readonly Readonly<Record<string, unknown>>[],
): readonly MissionArtifact[] | Difference {
  if (lines.length > MOST_ARTIFACTS)
    return { ...malformed(0, `the bundle has ${lines.length} artifacts`), code: 'bundle/too-large' }
  const artifacts: MissionArtifact[] = []
  for (const [i, { name, payload, tombstone, ...rest }] of lines.entries()) {
    const parsed = typeof payload === 'string' ? parseCanonicalJson(payload) : { value: null }
    const value = 'fault' in parsed ? undefined : parsed.value
    const isOne = (value === null) !== (tombstone === null) && sortOf(name) !== undefined
    if (!isOne || typeof value !== 'object' || Array.isArray(value))
      return malformed(i + 1, 'the line has neither a canonical artifact nor a tombstone')
    artifacts.push({ name, payload: value, tombstone, ...rest } as MissionArtifact)
  }
  return artifacts
}

/** Writes the content again and compares: a difference means a wrong digest or order. */
function whyOther(content: BundleContent, bytes: Uint8Array): Difference | undefined {
  let from = 0
  let number = 0
  for (const line of bundleLines(content)) {
    const wanted = Buffer.from(line)
    if (!wanted.equals(bytes.subarray(from, from + wanted.length)))
      return {
        code: 'bundle/digest-differs',
        path: `/lines/${number}`,
        message: 'the line differs from the one computed from the content',
      }
    from += wanted.length
    number++
  }
  return from === bytes.length ? undefined : malformed(number, 'something follows the manifest')
}
