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
  type Path,
  readDocuments,
  type Span,
} from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { openFiles, readOwnFile } from '../../workspace/index.ts'

/** Where the templates of a repository stand. */
export interface TemplateFolder {
  /** The root of the repository, absolute. */
  readonly root: string
  /** The folder, relative to the root, with forward slashes. */
  readonly folder: string
}

/** Something wrong with a definition beyond its structure, and what to do about it. */
export interface DefinitionFault {
  readonly path: Path
  readonly message: string
  readonly hint?: string | undefined
  /** Points at the key of `path` instead of its value. */
  readonly atKey?: boolean
}

/** What a sort of definition is checked with. */
export interface Definition<T> {
  readonly id: string
  readonly title: string
  load(): Promise<{ readonly validate: Validate; readonly schema: Schema }>
  /** What the structure cannot say. */
  faultsIn(value: T): Promise<readonly DefinitionFault[]> | readonly DefinitionFault[]
}

/** More faults than this are read by nobody at once. */
const MOST_FAULTS = 50

/** Whether a file of templates is there: links that lead out of the repository are not followed. */
export function isDefinition({ root }: TemplateFolder, path: string): boolean {
  return openFiles(root).kindOf(path) === 'file'
}

/** The bytes of a file of templates. */
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
 * Reads a definition from its YAML, strictly.
 *
 * @throws WaybillError `configuration`, which lists every fault with its line and column.
 */
export async function readDefinition<T>(
  bytes: Uint8Array,
  path: string,
  definition: Definition<T>,
): Promise<T> {
  const { text, faults } = decode(bytes)
  const [document] = (await readDocuments(text, 'yaml', faults)).documents
  if (!document) throw atFault(path, definition.title, [{ message: 'there is nothing in it' }])
  const loaded = await loadDefinition(definition)
  const recognised = as(loaded.contract, document.value)
  const result = checkDocument(document, recognised, loaded, { now: 0, most: MOST_FAULTS })
  if (!result.accepted) throw atFault(path, definition.title, result.diagnostics)
  const value = document.value as T
  const more = [...secretsIn(document), ...placed(document, await definition.faultsIn(value))]
  if (more.length > 0) throw atFault(path, definition.title, more)
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

interface Placed {
  readonly message: string
  readonly hint?: string | undefined
  readonly range?: { readonly start: { readonly line: number; readonly character: number } }
}

function placed(document: Document, faults: readonly DefinitionFault[]): Placed[] {
  const at = ({ path, atKey }: DefinitionFault): Span =>
    document.locate(path, atKey ? 'key' : 'value')
  return faults.map(fault => ({ ...fault, range: document.range(at(fault)) }))
}

function secretsIn(document: Document): Placed[] {
  return findSecrets(document.text).map(({ kind, span }) => ({
    range: document.range(span),
    message: `this looks like a credential (${kind})`,
    hint: 'take it out: what stands here is copied into artifacts',
  }))
}

function atFault(path: string, title: string, faults: readonly Placed[]): WaybillError {
  const lines = faults.slice(0, MOST_FAULTS).map(({ range, message, hint }) => {
    const place = range ? `:${range.start.line + 1}:${range.start.character + 1}` : ''
    return `  ${path}${place} ${message}${hint ? ` (${hint})` : ''}`
  })
  const rest = faults.length - MOST_FAULTS
  if (rest > 0) lines.push(`  and ${counted(rest, 'further fault')}`)
  const what = `the ${title.toLowerCase()} ${quote(path)} is at fault`
  return new WaybillError('configuration', `${what}:\n${lines.join('\n')}`, {
    hint: 'mend it, and try again; nothing was started',
  })
}
