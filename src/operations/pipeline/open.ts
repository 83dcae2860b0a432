import { checkStructure } from '../../contract/index.ts'
import {
  findContract,
  loadContract,
  normalPath,
  type Orchestration,
  type PipelineProgress,
  progressOf,
  type SoundPart,
  soundPart,
} from '../../contracts/index.ts'
import { decode, type Format, formatOf, MOST_BYTES, type Path } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { type Config, loadConfig, readOwnFile, reasonOf, sha256 } from '../../workspace/index.ts'
import { openFacts } from '../check/facts.ts'
import { checkSource } from '../check/file.ts'
import type { DocumentReport } from '../check/output.ts'
import { severitiesIn } from '../check/severities.ts'
import type { App } from '../operation.ts'
import { cleanse } from '../show/cleanse.ts'
import { findPipeline, type Place } from './find.ts'

/** A pipeline document that was read and checked, with the state of its parts. */
export interface Pipeline extends Place {
  /** Without a byte order mark. */
  readonly text: string
  readonly mark: string
  readonly format: Format
  readonly sha256: string
  readonly report: DocumentReport
  /** The valid part of the document. */
  readonly value: Orchestration
  /** Whether invalid parts were left out. */
  readonly isPartial: boolean
  /** Whether a stated figure can be compared with the valid part. */
  readonly isCounted: (figure: Path) => boolean
  readonly standing: PipelineProgress
  readonly isThere: (path: string) => boolean
  /** Returns a copy without secrets and control characters. */
  show<T>(data: T): T
}

/** Finds, reads and checks the document. */
export async function openPipeline(file: string | undefined, app: App): Promise<Pipeline> {
  const config = await loadConfig(app.root)
  const place = findPipeline(file, config, app)
  return readPipeline(place, bytesOf(place), config, app)
}

function bytesOf({ file, path }: Place): Uint8Array {
  try {
    const bytes = readOwnFile(file, MOST_BYTES)
    if (bytes) return bytes
  } catch (cause) {
    throw new WaybillError('input-output', `${path} cannot be read: ${reasonOf(cause)}`, {
      hint: 'check its permissions',
      cause,
    })
  }
  throw new WaybillError('not-found', `${path} no longer exists`)
}

/** Checks the bytes of a document as if they were in its file, and computes the state of its parts. */
export async function readPipeline(
  place: Place,
  bytes: Uint8Array,
  config: Config,
  app: App,
): Promise<Pipeline> {
  const { text, faults } = decode(bytes)
  const format = formatOf(place.path, text)
  if (format === 'markdown')
    throw new WaybillError('usage', `${place.path} is Markdown`, {
      hint: 'keep the pipeline in a YAML or JSON file',
    })
  const facts = openFacts(app, config)
  const settings = {
    now: app.now,
    root: app.root,
    contract: 'orchestration.v1',
    structureOnly: false,
    excerpts: false,
    severities: await severitiesIn(config),
  }
  const { documents } = await checkSource({ ...place, named: true, bytes }, settings, facts)
  const [checked] = documents
  if (!checked) throw new WaybillError('internal', `${place.path} was not checked`)
  const isReadable =
    faults.length === 0 && !checked.report.diagnostics.some(d => d.code.startsWith('syntax/'))
  const sound = await soundPartOf(isReadable ? checked.value : {}, checked.report)
  const folder = place.path.slice(0, place.path.lastIndexOf('/') + 1)
  const isThere = (path: string) =>
    [path, normalPath(`${folder}${path}`)].some(p => p && facts.files.kindOf(p) === 'file')
  return {
    ...place,
    text,
    mark: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? '\ufeff' : '',
    format,
    sha256: sha256(bytes),
    report: checked.report,
    value: sound.value,
    isCounted: figure => isCounted(figure, sound),
    isPartial: sound.faulty.size > 0 || !isReadable,
    standing: progressOf(sound, isThere),
    isThere,
    show: data => cleanse(data, text),
  }
}

/** Barriers count by themselves; agents and overall progress also count what only the queue names. */
function isCounted(figure: Path, { faulty, lacksPhases }: SoundPart): boolean {
  const name = String(figure.at(-1))
  if (name.startsWith('barriers_')) return true
  return !lacksPhases && !(/agents|progress/.test(name) && faulty.has('/execution_queue'))
}

async function soundPartOf(value: unknown, { diagnostics }: DocumentReport): Promise<SoundPart> {
  const pointers = diagnostics.filter(d => d.code.startsWith('schema/') && d.severity === 'error')
  const sound = soundPart(
    value,
    pointers.map(d => d.path),
  )
  const contract = findContract('orchestration.v1')
  const loaded = contract && (await loadContract(contract))
  // Configuration may allow a fault, but its value still cannot be used; an unknown key is no fault.
  const faults = loaded && checkStructure(loaded, sound.value).findings
  const isSound = faults?.every(({ severity }) => severity !== 'error')
  return isSound ? sound : soundPart({}, ['/pipelines'])
}
