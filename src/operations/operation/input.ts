import { relative, resolve } from 'node:path'
import { listed, quote } from '../../contract/index.ts'
import { whyReserved } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'
import { pathFromRoot, realPath } from '../../workspace/index.ts'
import { type ForWhom, refuseToAgents } from '../mission/nested.ts'
import type { App, InputProperty } from '../operation.ts'

/** Returns the error for an input of the wrong type; `undefined` when it has the right type. */
export function wrongType(
  name: string,
  type: InputProperty['type'],
  value: unknown,
): string | undefined {
  const types = [type].flat()
  if (types.some(one => isOf(one, value))) return undefined
  const wanted = types.map(one => WORDS[one])
  return `${name} must be ${listed(wanted, 'or')}`
}

/**
 * Checks an input before an operation runs: its types (callers may be untyped), reserved paths, and that no agent of a
 * task does what only people may do.
 */
export function mustFit(
  operation: ForWhom,
  input: unknown,
  app: Pick<App, 'root' | 'cwd' | 'variable'>,
): void {
  const { name: verb } = operation
  const { properties, required = [] } = operation.input
  if (!isFields(input)) throw wrongCall(verb, 'its input must be an object')
  refuseToAgents(operation, input, app)
  for (const [name, property] of Object.entries(properties)) {
    const { type } = property
    const value = input[name]
    if (value === undefined && required.includes(name)) throw wrongCall(verb, `${name} is missing`)
    // Each operation checks the range of its numbers.
    if (value === undefined || (type === 'integer' && typeof value === 'number')) continue
    const fault = wrongType(name, type, value)
    if (fault !== undefined) throw wrongCall(verb, fault)
    if ([value].flat().includes('')) throw empty(name, property, required.includes(name))
    if (property.makes) refuseReserved(name, String(value), app)
  }
}

function refuseReserved(name: string, path: string, app: Pick<App, 'root' | 'cwd'>): void {
  // Check the target of a link too.
  const real = relative(realPath(app.root), realPath(resolve(app.cwd, path)))
  const why = whyReserved(pathFromRoot(path, app)) ?? whyReserved(real)
  if (why === undefined) return
  throw new WaybillError('usage', `${name} ${quote(path)} ${why}`, {
    hint: 'name a place outside of that folder',
  })
}

/** The error for an empty value, usually an unset variable in a script. */
function empty(
  name: string,
  { type, path, placeholder }: InputProperty,
  required: boolean,
): WaybillError {
  const hint = 'pass a value'
  const isFile = placeholder === 'file' || (placeholder === 'path' && type === 'string')
  const named = isFile ? 'name a file' : 'write . for this folder'
  return path
    ? new WaybillError('usage', `${name} has an empty path`, { hint: named })
    : new WaybillError('usage', `${name} is empty`, {
        // The input may be optional in one call and needed in another.
        hint: required ? hint : `${hint}, or omit it where it is not needed`,
      })
}

function wrongCall(operation: string, fault: string): WaybillError {
  return new WaybillError('usage', `${operation} cannot be run: ${fault}`)
}

type TypeName = Extract<InputProperty['type'], string>

const WORDS: Readonly<Record<TypeName, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  array: 'a list of strings',
}

function isOf(type: TypeName, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'array') return Array.isArray(value) && value.every(v => typeof v === 'string')
  return typeof value === type
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
