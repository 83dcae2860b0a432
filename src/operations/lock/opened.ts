import { join } from 'node:path'
import {
  as,
  checkDocument,
  type Facts,
  type Files,
  type LoadedContract,
  type Recognised,
} from '../../contract/index.ts'
import {
  agentsOf,
  findContract,
  loadContract,
  type Manifest,
  readPrompt,
} from '../../contracts/index.ts'
import {
  type Document,
  formatOf,
  type Json,
  MOST_BYTES,
  type Path,
  parsePointer,
  readDocuments,
} from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { type Config, readOwnFile, sha256 } from '../../workspace/index.ts'
import { openFacts } from '../check/facts.ts'
import { checkRecognised, excerpts } from '../check/file.ts'
import type { ReportForPeople } from '../check/report.ts'
import { severitiesIn } from '../check/severities.ts'
import { readSource, type Source } from '../check/source.ts'
import type { App } from '../operation.ts'
import { soundLock } from './sound-lock.ts'
import { type SoundPart, soundPart } from './sound-part.ts'

/** A manifest or a lock that was read. */
export interface Opened {
  /** Path from the root. */
  readonly path: string
  readonly source: Source
  readonly document: Document
  readonly recognised: Recognised
  readonly loaded: LoadedContract
  /** Whether its structure is valid. */
  readonly sound: boolean
  /** Paths of the errors in its structure. */
  readonly faulty: readonly Path[]
  readonly value: Json
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string
  /** Whether it begins with a byte order mark, which is kept. */
  readonly marked: boolean
}

/** Reads a manifest or a lock and checks its structure. */
export async function openGoverned(
  name: 'prompt-manifest' | 'prompt-lock',
  path: string,
  { root }: App,
): Promise<Opened> {
  const contract = findContract(name)
  if (!contract) throw new Error(`the contract ${name} is missing`)
  const file = join(root, path)
  const bytes = bytesOf(file)
  const source: Source = { file, path, named: true, ...(bytes && { bytes }) }
  const read = readSource(source)
  if (typeof read === 'string')
    throw new WaybillError('input-output', `${path} cannot be read: ${read}`)
  const format = formatOf(path, read.text)
  const { documents } = await readDocuments(read.text, format, read.faults)
  const [document] = documents
  if (!document || !contract.formats.includes(document.format)) {
    throw new WaybillError('usage', `${path} is Markdown, but a ${name} is JSON or YAML`, {
      hint: 'move it to a separate file',
    })
  }
  const loaded = await loadContract(contract)
  const recognised = as(contract, document.value)
  const structure = checkDocument(document, recognised, loaded, {
    now: 0,
    structureOnly: true,
    most: Number.POSITIVE_INFINITY,
  })
  return {
    path,
    source,
    document,
    recognised,
    loaded,
    sound: structure.accepted,
    faulty: structure.diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ path }) => parsePointer(path)),
    value: document.value as Json,
    sha256: sha256(bytes ?? ''),
    marked: bytes?.[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf,
  }
}

/** Returns undefined for a file that is too large or unreadable; reading it as a document reports why. */
function bytesOf(file: string): Uint8Array | undefined {
  try {
    return readOwnFile(file, MOST_BYTES)
  } catch {
    return undefined
  }
}

/** Options for judging manifest and lock. */
export interface Judging {
  readonly app: App
  readonly config: Config
  /** Whether diagnostics include their source line. */
  readonly excerpts: boolean
}

/** An error for locks, because they identify agents by canonical id only. */
const STRICTER = 'prompt-manifest/canonical-id-is-key'

/** Checks a document by all rules of its contract, with no limit on diagnostics. */
export async function judge(
  { source, document, recognised }: Opened,
  given: Facts,
  { app, config, excerpts: withExcerpts }: Judging,
): Promise<ReportForPeople> {
  const configured = await severitiesIn(config)
  const stricter = {
    severity: 'error',
    reason: 'a lock identifies agents by canonical id only',
  } as const
  const settings = {
    now: app.now,
    root: app.root,
    structureOnly: false,
    excerpts: withExcerpts,
    severities: new Map([[STRICTER, stricter], ...configured]),
    most: Number.POSITIVE_INFINITY,
  }
  const { report } = await checkRecognised(source, document, recognised, {
    settings,
    facts: openFacts(app, config, given),
    excerptOf: withExcerpts ? excerpts(document.text) : undefined,
  })
  return report
}

/** Judges a manifest; if its structure is invalid, also judges its valid part. */
export async function judgeManifest(
  manifest: Opened,
  given: Facts,
  judging: Judging,
): Promise<{ readonly report: ReportForPeople; readonly part: SoundPart | undefined }> {
  const report = await judge(manifest, given, judging)
  const part = manifest.sound ? undefined : soundPart(manifest)
  if (!part) return { report, part }
  const rest = await judge(withValue(manifest, part.value), given, judging)
  return { report: withMore(report, rest, ({ path }) => !part.isPutIn(path)), part }
}

/** Judges a lock; if its structure is invalid, also judges its valid part. */
export async function judgeLock(
  lock: Opened,
  given: Facts,
  judging: Judging,
): Promise<ReportForPeople> {
  const report = await judge(lock, given, judging)
  const part = lock.sound ? undefined : soundLock(lock)
  if (!part) return report
  const rest = await judge(withValue(lock, part.value), given, judging)
  return withMore(report, rest, ({ path }) => !part.isPutIn(path))
}

const withValue = (opened: Opened, value: Json): Opened => ({
  ...opened,
  value,
  recognised: { ...opened.recognised, value },
})

type Reported = ReportForPeople['diagnostics'][number]

/** Adds to a rejected report the further diagnostics of another report on the same document, in its order. */
export function withMore(
  report: ReportForPeople,
  { diagnostics }: ReportForPeople,
  isMeant: (diagnostic: Reported) => boolean,
): ReportForPeople {
  const known = new Set(report.diagnostics.map(({ code, path }) => `${code} ${path}`))
  const more = diagnostics.filter(one => isMeant(one) && !known.has(`${one.code} ${one.path}`))
  const all = [...report.diagnostics, ...more].sort(
    (a, b) => a.line - b.line || a.column - b.column || (a.code < b.code ? -1 : 1),
  )
  return { ...report, diagnostics: all, accepted: false }
}

/** Reads each prompt of a valid manifest once, with progress. */
export function readPrompts({ path, value, sound }: Opened, files: Files, app: App): void {
  if (!sound) return
  const { all } = agentsOf(value as unknown as Manifest)
  for (const [index, { file }] of all.entries()) {
    if (app.signal?.aborted) throw new WaybillError('interrupted', 'the call was cancelled')
    readPrompt(path, file, files)
    app.progress?.(index + 1, all.length)
  }
}
