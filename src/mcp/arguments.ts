import { listed, nearest, quote } from '../contract/index.ts'
import type { InputProperty } from '../operations/operation.ts'
import type { Schema } from './tools.ts'

type Part = Pick<InputProperty, 'type' | 'enum'>

/**
 * What is wrong with what a call gives, in words that an agent can act on; `undefined` where nothing is.
 *
 * It knows the words that derived tools use: types, lists of texts, closed lists of values, what is required.
 */
export function faultInArguments({ properties, required }: Schema, given: unknown) {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'the arguments are no object'
  const parts = properties as Readonly<Record<string, Part>>
  const values = given as Readonly<Record<string, unknown>>
  const names = Object.keys(parts)
  const missing = ((required ?? []) as readonly string[]).filter(key => values[key] === undefined)
  const faults = [
    ...missing.map(key => `${key} is missing${choiceOf(parts[key]?.enum)}`),
    ...Object.entries(values).flatMap(([key, value]) => {
      const part = Object.hasOwn(parts, key) ? parts[key] : undefined
      if (!part) return [unknownInput(key, names)]
      return faultIn(key, part, value)
    }),
  ]
  return faults.length === 0 ? undefined : faults.slice(0, MOST_TOLD).join('; ')
}

const MOST_TOLD = 5

function unknownInput(key: string, names: readonly string[]): string {
  const meant = nearest(key, names)
  return `there is no input ${quote(key)}${meant ? `; did you mean ${meant}?` : `, only ${listed(names)}`}`
}

function faultIn(key: string, { type, enum: values }: Part, value: unknown): string[] {
  const types = type === undefined ? [] : [type].flat()
  if (types.length > 0 && !types.some(name => isOf(name, value)))
    return [
      `${key} is to be ${listed(
        types.map(name => TYPES[name] ?? name),
        'or',
      )}`,
    ]
  if (values && !values.includes(value as string))
    return [`${key} cannot be ${quote(String(value))}${choiceOf(values)}`]
  return []
}

const choiceOf = (values: readonly string[] | undefined) =>
  values ? `; use one of ${listed(values, 'or')}` : ''

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
  array: 'a list of texts',
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'array') return Array.isArray(value) && value.every(v => typeof v === 'string')
  return typeof value === type
}
