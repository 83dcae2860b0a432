import { quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { readSource } from '../gateway/source.ts'
import type { App } from '../operation.ts'

/** Reads one JSON or YAML value from a file, or from standard input. */
export async function readAnswer(
  path: string,
  app: App,
): Promise<Readonly<Record<string, unknown>>> {
  const { read } = await readSource(path, app)
  const value = read && read.document.faults.length === 0 ? read.value : undefined
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>
  throw new WaybillError('usage', `${quote(path)} is not one document in JSON or YAML`, {
    hint: `waybill check ${path} says what is wrong with it`,
  })
}
