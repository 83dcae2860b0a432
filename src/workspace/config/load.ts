import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import {
  as,
  checkDocument,
  type Diagnostic,
  defineContract,
  type LoadedContract,
  type Schema,
} from '../../contract/index.ts'
import {
  type Document,
  decode,
  MOST_BYTES,
  type Path,
  readDocuments,
} from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { hintOf, reasonOf } from '../look.ts'
import { readOwnFile } from '../read.ts'
import { CONFIG_FILE } from '../root.ts'
import type { Config } from './schema.ts'

const contract = defineContract<Config>({
  id: 'config.v1',
  title: 'Waybill configuration',
  formats: ['yaml'],
  recognise: { keys: [] },
  header: () => ({}),
})

/** Reads the configuration at a root, empty by default. @throws {WaybillError} 'configuration' listing every fault. */
export async function loadConfig(root: string): Promise<Config> {
  return parseConfig(readConfig(root))
}

/** The bytes of the configuration at a root; undefined if there is none. */
export function readConfig(root: string): Uint8Array | undefined {
  const file = join(root, CONFIG_FILE)
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(file, MOST_BYTES)
  } catch (cause) {
    throw new WaybillError('configuration', `${CONFIG_FILE} cannot be read: ${reasonOf(cause)}`, {
      ...hintOf(cause),
      cause,
    })
  }
  // Do not fall back to defaults: they may allow what the unreadable file forbids.
  if (!bytes && isDeadLink(file)) {
    throw new WaybillError('configuration', `${CONFIG_FILE} is a broken symbolic link`, {
      hint: 'restore its target, or remove the link',
    })
  }
  return bytes
}

/** Not a link: the file was created in the meantime. */
function isDeadLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink()
  } catch {
    return false
  }
}

/** The source text of each configuration. */
const sources = new WeakMap<Config, Document>()

/** The source bytes of each configuration. */
const read = new WeakMap<Config, Uint8Array>()

/** The exact bytes that a configuration was read from; undefined without a file. */
export function bytesOf(config: Config): Uint8Array | undefined {
  return read.get(config)
}

/** Parses the bytes of a configuration file. @throws {WaybillError} 'configuration' listing every fault. */
export async function parseConfig(bytes: Uint8Array | undefined): Promise<Config> {
  if (!bytes) return {}
  const config = await configIn(bytes)
  read.set(config, bytes)
  return config
}

async function configIn(bytes: Uint8Array): Promise<Config> {
  const { text, faults } = decode(bytes)
  if (faults.length === 0 && text.split('\n').every(line => /^\s*(#|$)/.test(line))) return {}
  const { documents } = await readDocuments(text, 'yaml', faults)
  const [document] = documents
  if (!document) return {}
  const result = checkDocument(document, as(contract, document.value), await loadSchema(), {
    now: 0,
  })
  if (!result.accepted) throw faulty(result.diagnostics.map(withHint))
  const config = document.value as Config
  sources.set(config, document)
  return config
}

/** Explains the rule syntax to users who write `code: off`, as in linters. */
function withHint(diagnostic: Diagnostic): Diagnostic {
  // A JSON Pointer, in which the slash of a code is escaped.
  if (diagnostic.hint !== undefined || !/^\/rules\/[^/]+$/.test(diagnostic.path)) return diagnostic
  return { ...diagnostic, hint: 'write {severity: off, reason: <why it is off here>}' }
}

/** A configuration fault beyond its structure. */
export interface ConfigFault {
  readonly path: Path
  readonly message: string
  readonly hint?: string
}

/** The error for an invalid configuration: every fault with its line and column. */
export function configurationError(config: Config, faults: readonly ConfigFault[]): WaybillError {
  const document = sources.get(config)
  return faulty(
    faults.map(fault => ({
      ...fault,
      ...(document && { range: document.range(document.locate(fault.path)) }),
    })),
  )
}

interface Placed {
  readonly message: string
  readonly hint?: string
  readonly range?: { readonly start: { readonly line: number; readonly character: number } }
}

function faulty(faults: readonly Placed[]): WaybillError {
  const lines = faults.map(({ range, message, hint }) => {
    const place = range ? `:${range.start.line + 1}:${range.start.character + 1}` : ''
    return `  ${CONFIG_FILE}${place} ${message}${hint ? ` (${hint})` : ''}`
  })
  return new WaybillError('configuration', `${CONFIG_FILE} is invalid:\n${lines.join('\n')}`, {
    hint: 'see waybill schema config',
  })
}

async function loadSchema(): Promise<LoadedContract> {
  const [{ validate }, schema] = await Promise.all([
    import('./validate.generated.js'),
    import('../../../schemas/config.v1.json', { with: { type: 'json' } }),
  ])
  return { contract, validate, schema: schema.default as Schema, rules: {} }
}
