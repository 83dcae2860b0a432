import { join } from 'node:path'
import {
  as,
  checkDocument,
  counted,
  defineContract,
  type LoadedContract,
  quote,
  type Schema,
  type Validate,
} from '../../contract/index.ts'
import {
  type Document,
  decode,
  findSecrets,
  MOST_BYTES,
  maskedPointer,
  type Path,
  type Range,
  readDocuments,
} from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { openFiles, readOwnFile } from '../../workspace/index.ts'

/** The folder with the templates of a repository. */
export interface TemplateFolder {
  /** The root of the repository, absolute. */
  readonly root: string
  /** The folder, relative to the root, with forward slashes. */
  readonly folder: string
}

/** A fault of a definition beyond its structure, with a hint. */
export interface DefinitionFault {
  readonly path: Path
  readonly message: string
  readonly hint?: string | undefined
  /** Points at the key of `path` instead of its value. */
  readonly atKey?: boolean
}

/** How a kind of definition is checked. */
export interface Definition<T> {
  readonly id: string
  readonly title: string
  load(): Promise<{ readonly validate: Validate; readonly schema: Schema }>
  /** Faults that the schema cannot express. */
  faultsIn(value: T): Promise<readonly DefinitionFault[]> | readonly DefinitionFault[]
}

/** The most faults in one message. */
const MOST_FAULTS = 50
/** The most faults shown with their source line. */
const MOST_FRAMES = 10
/** The most characters shown of a line. */
const WIDTH = 100

/** Reports whether a template file exists; links out of the repository are not followed. */
export function isDefinition({ root }: TemplateFolder, path: string): boolean {
  return openFiles(root).kindOf(path) === 'file'
}

/** Reads the bytes of a template file. */
export function readDefinitionFile({ root }: TemplateFolder, path: string): Uint8Array {
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(join(root, path), MOST_BYTES)
  } catch (cause) {
    const why = cause instanceof Error ? `: ${cause.message}` : ''
    throw new WaybillError('configuration', `${path} cannot be read${why}`, { cause })
  }
  if (bytes) return bytes
  throw new WaybillError('not-found', `there is no ${path}`)
}

/**
 * Parses a definition from YAML, strictly.
 * @throws {WaybillError} 'configuration' with every fault, its line and column.
 */
export async function readDefinition<T>(
  bytes: Uint8Array,
  path: string,
  definition: Definition<T>,
): Promise<T> {
  const { text, faults } = decode(bytes)
  const [document] = (await readDocuments(text, 'yaml', faults)).documents
  const source = { path, title: definition.title, text }
  if (!document) throw atFault(source, [{ message: 'the file is empty' }])
  const loaded = await loadDefinition(definition)
  const recognised = as(loaded.contract, document.value)
  const result = checkDocument(document, recognised, loaded, { now: 0, most: MOST_FAULTS })
  if (!result.accepted) throw atFault(source, result.diagnostics)
  const value = document.value as T
  const more = [...secretsIn(document), ...placed(document, await definition.faultsIn(value))]
  if (more.length > 0) throw atFault(source, more)
  return value
}

async function loadDefinition<T>({ id, title, load }: Definition<T>): Promise<LoadedContract> {
  const contract = defineContract<T>({
    id,
    title,
    formats: ['yaml'],
    recognise: { keys: [] },
    header: () => ({}),
  })
  return { contract, rules: {}, ...(await load()) }
}

/** A fault of a definition, and its place. */
export interface PlacedFault {
  readonly message: string
  readonly hint?: string | undefined
  /** JSON Pointer. */
  readonly path?: string
  readonly range?: Range
}

/** An invalid definition; the message lists every fault. */
export class DefinitionError extends WaybillError {
  readonly faults: readonly PlacedFault[]

  constructor(message: string, faults: readonly PlacedFault[]) {
    super('configuration', message, { hint: 'fix it and try again; nothing was started' })
    this.faults = faults
  }
}

/** Locates faults in the bytes of a valid definition. */
export async function placedIn(
  bytes: Uint8Array,
  placeless: readonly DefinitionFault[],
): Promise<PlacedFault[]> {
  const { text, faults } = decode(bytes)
  const [document] = (await readDocuments(text, 'yaml', faults)).documents
  return document ? placed(document, placeless) : []
}

function placed(document: Document, faults: readonly DefinitionFault[]): PlacedFault[] {
  return faults.map(({ path, atKey, message, hint }) => ({
    ...{ message, hint, path: maskedPointer(path) },
    range: document.range(document.locate(path, atKey ? 'key' : 'value')),
  }))
}

function secretsIn(document: Document): PlacedFault[] {
  return findSecrets(document.text).map(({ kind, span }) => ({
    range: document.range(span),
    message: `looks like a credential (${kind})`,
    hint: 'remove it: this text is copied into artifacts',
  }))
}

/** The faulty line, with a mark below the place. */
function frameOf(
  source: readonly string[],
  { line, character }: { readonly line: number; readonly character: number },
): readonly string[] {
  const text = source[line]
  if (text === undefined) return []
  const from = Math.max(0, character - WIDTH / 2)
  const shown = text.replaceAll('\t', ' ').trimEnd()
  const number = String(line + 1)
  const mark = ' '.repeat(number.length + 3 + character - from)
  return [`    ${number} | ${shown.slice(from, from + WIDTH)}`, `    ${mark}^`]
}

interface DefinitionSource {
  readonly path: string
  readonly title: string
  readonly text: string
}

function atFault(
  { path, title, text }: DefinitionSource,
  faults: readonly PlacedFault[],
): DefinitionError {
  // Any line may contain a credential.
  const source = findSecrets(text).length > 0 ? [] : text.split('\n')
  const lines = faults.slice(0, MOST_FAULTS).flatMap(({ range, message, hint }, i) => {
    const place = range ? `:${range.start.line + 1}:${range.start.character + 1}` : ''
    const frame = range && i < MOST_FRAMES ? frameOf(source, range.start) : []
    return [`  ${path}${place} ${message}${hint ? ` (${hint})` : ''}`, ...frame]
  })
  const rest = faults.length - MOST_FAULTS
  if (rest > 0) lines.push(`  and ${counted(rest, 'further fault')}`)
  const what = `the ${title.toLowerCase()} ${quote(path)} is invalid`
  return new DefinitionError(`${what}:\n${lines.join('\n')}`, faults)
}
