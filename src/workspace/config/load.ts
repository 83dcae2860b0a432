import { join } from 'node:path'
import {
  as,
  checkDocument,
  defineContract,
  type LoadedContract,
  type Schema,
} from '../../contract/index.ts'
import { decode, MOST_BYTES, readDocuments } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
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

/** Reads the configuration at a root; none is an empty one, a faulty one is an error that lists every fault. */
export async function loadConfig(root: string): Promise<Config> {
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(join(root, CONFIG_FILE), MOST_BYTES)
  } catch (cause) {
    throw new WaybillError('configuration', `${CONFIG_FILE} cannot be read`, { cause })
  }
  if (!bytes) return {}
  const { text, faults } = decode(bytes)
  if (faults.length === 0 && text.split('\n').every(line => /^\s*(#|$)/.test(line))) return {}
  const { documents } = await readDocuments(text, 'yaml', faults)
  const [document] = documents
  if (!document) return {}
  const result = checkDocument(document, as(contract, document.value), await loadSchema(), {
    now: 0,
  })
  if (result.accepted) return document.value as Config
  const lines = result.diagnostics.map(
    d =>
      `  ${CONFIG_FILE}:${d.range.start.line + 1}:${d.range.start.character + 1} ${d.message}${d.hint ? ` (${d.hint})` : ''}`,
  )
  throw new WaybillError('configuration', `${CONFIG_FILE} is at fault:\n${lines.join('\n')}`, {
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
