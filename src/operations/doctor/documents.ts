import { counted } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import type { Config } from '../../workspace/index.ts'
import { checkFiles } from '../check/pool.ts'
import { findSources } from '../check/sources.ts'
import type { App } from '../operation.ts'
import { error, ok, warning } from './item.ts'
import type { DoctorItem } from './output.ts'

/** Counts the documents of the repository by contract; checks only their structure. */
export async function examineDocuments(app: App, config: Config): Promise<DoctorItem> {
  try {
    return await countDocuments(app, config)
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    return error('documents', cause.message, cause.hint ?? 'make it readable')
  }
}

async function countDocuments(app: App, config: Config): Promise<DoctorItem> {
  const sources = await findSources({}, config, { ...app, cwd: app.root })
  const settings = {
    now: app.now,
    root: app.root,
    structureOnly: true,
    excerpts: false,
    severities: new Map(),
  }
  const looked = `in ${counted(sources.length, 'file')}`
  const { documents } = await checkFiles(sources, { settings, config, given: {} }, app)
  const counts = new Map<string, number>()
  for (const { contract } of documents) {
    if (contract !== null) counts.set(contract, (counts.get(contract) ?? 0) + 1)
  }
  const found = [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([contract, n]) => `${n} ${contract}`)
  const what = `${found.length > 0 ? found.join(', ') : 'none'} ${looked}`
  const closed = documents.filter(d => d.diagnostics.some(isUnreadable)).length
  if (closed === 0) return ok('documents', what)
  return warning(
    'documents',
    `${what}, of which ${closed} cannot be read`,
    'run waybill check, and make the files it lists readable or exclude them: until then it rejects them',
  )
}

const isUnreadable = ({ code }: { readonly code: string }) => code === 'document/unreadable'
