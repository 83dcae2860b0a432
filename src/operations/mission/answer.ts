import { quote, shellWord } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { readSource } from '../gateway/source.ts'
import type { App } from '../operation.ts'

type Value = Readonly<Record<string, unknown>>

/** Why a text is not one JSON or YAML value. */
interface Unreadable {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** Reads one JSON or YAML object from a file or standard input, or says why it cannot. */
export async function readValue(
  path: string,
  app: App,
): Promise<{ readonly value: Value } | { readonly faults: readonly Unreadable[] }> {
  const { read } = await readSource(path, app)
  const { faults = [], range } = read?.document ?? {}
  if (faults.length > 0)
    return {
      faults: faults.map(({ code, message, hint, span }) => {
        const line = (range?.(span).start.line ?? 0) + 1
        return { code, message: `${path}, line ${line}: ${message}`, hint }
      }),
    }
  const value = read?.value
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { value: value as Value }
  return { faults: [{ code: 'document/unrecognised', ...notOne(path) }] }
}

function notOne(path: string) {
  if (path === '-')
    return {
      message: 'standard input is not one JSON or YAML document',
      hint: 'write it to a file, then run waybill check <file>',
    }
  return {
    message: `${quote(path)} is not one JSON or YAML document`,
    hint: `run waybill check ${shellWord(path)}`,
  }
}

/** Reads one JSON or YAML object from a file or standard input; throws 'usage' when it cannot. */
export async function readAnswer(path: string, app: App): Promise<Value> {
  const read = await readValue(path, app)
  if ('value' in read) return read.value
  const { message, hint } = notOne(path)
  throw new WaybillError('usage', message, { hint })
}
