import { listed, nearest, quote } from '../contract/index.ts'
import { wrongType } from '../operations/operation/input.ts'
import type { InputProperty } from '../operations/operation.ts'
import type { Schema } from './tools.ts'

type Part = Pick<InputProperty, 'type' | 'enum'>

/**
 * Describes what is wrong with the arguments of a call, in words that an agent can act on; undefined if valid.
 *
 * Supports the keywords of derived tools: types, lists of strings, enums and required properties.
 */
export function faultInArguments({ properties, required }: Schema, given: unknown) {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'the arguments are not an object'
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
  return faults.length === 0 ? undefined : faults.slice(0, MOST_SHOWN).join('; ')
}

const MOST_SHOWN = 5

function unknownInput(key: string, names: readonly string[]): string {
  const meant = nearest(key, names)
  return `there is no input ${quote(key)}${meant ? `; did you mean ${meant}?` : `, only ${listed(names)}`}`
}

function faultIn(key: string, { type, enum: values }: Part, value: unknown): string[] {
  const fault = type === undefined ? undefined : wrongType(key, type, value)
  if (fault !== undefined) return [fault]
  if (values && !values.includes(value as string))
    return [`${key} cannot be ${quote(String(value))}${choiceOf(values)}`]
  return []
}

const choiceOf = (values: readonly string[] | undefined) =>
  values ? `; use one of ${listed(values, 'or')}` : ''
