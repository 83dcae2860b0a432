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

/** A manifest or a lock as it was read. */
export interface Opened {
  /** From the root. */
  readonly path: string
  readonly source: Source
  readonly document: Document
  readonly recognised: Recognised
  readonly loaded: LoadedContract
  /** Its structure is sound, so that what is computed from it means something. */
  readonly sound: boolean
  /** Where its structure has errors. */
  readonly faulty: readonly Path[]
  readonly value: Json
  /** The SHA-256 of its bytes. */
  readonly sha256: string
  /** It begins with a byte order mark, which is kept. */
  readonly marked: boolean
}

/** Reads a manifest or a lock and looks at its structure. */
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
    throw new WaybillError('usage', `${path} is Markdown, and a ${name} is JSON or YAML`, {
      hint: 'keep it in a file of its own',
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

/** Absent where the file is too large or cannot be read; what is wrong with it is said when it is read as a document. */
function bytesOf(file: string): Uint8Array | undefined {
  try {
    return readOwnFile(file, MOST_BYTES)
  } catch {
    return undefined
  }
}

/** How the manifest and the lock of a repository are judged. */
export interface Judging {
  readonly app: App
  readonly config: Config
  /** Whether diagnostics carry the line that they stand on. */
  readonly excerpts: boolean
}

/** A second name of an agent is where a lock by its canonical id goes wrong, so here it may not be. */
const STRICTER = 'prompt-manifest/canonical-id-is-key'

/** Checks what was read by all the rules of its contract; nothing that was found is left out. */
export async function judge(
  { source, document, recognised }: Opened,
  given: Facts,
  { app, config, excerpts: withExcerpts }: Judging,
): Promise<ReportForPeople> {
  const configured = await severitiesIn(config)
  const stricter = { severity: 'error', reason: 'a lock knows canonical ids alone' } as const
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

/** Adds to what was found in a manifest whose structure is at fault what its rules find in the rest of it. */
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

/** The same for a lock. */
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

type Told = ReportForPeople['diagnostics'][number]

/** A report with what another one of the same document found beyond it; it is refused all the same. */
export function withMore(
  report: ReportForPeople,
  { diagnostics }: ReportForPeople,
  isMeant: (diagnostic: Told) => boolean,
): ReportForPeople {
  const told = new Set(report.diagnostics.map(({ code, path }) => `${code} ${path}`))
  const more = diagnostics.filter(one => isMeant(one) && !told.has(`${one.code} ${one.path}`))
  return { ...report, diagnostics: [...report.diagnostics, ...more], accepted: false }
}

/** Reads the prompts of a sound manifest, each once, and tells how far that has come. */
export function readPrompts({ path, value, sound }: Opened, files: Files, app: App): void {
  if (!sound) return
  const { all } = agentsOf(value as unknown as Manifest)
  for (const [index, { file }] of all.entries()) {
    if (app.signal?.aborted) throw new WaybillError('interrupted', 'the call was cancelled')
    readPrompt(path, file, files)
    app.progress?.(index + 1, all.length)
  }
}
