import Type, { type Static, type TSchema } from 'typebox'
import { LOOSE_TIMESTAMP_PATTERN, TIMESTAMP_PATTERN } from '../document/index.ts'

const EXAMPLE = '2026-04-14T12:00:00Z'

/** A non-empty text; white space counts. */
export const Words = (description: string) => Type.String({ minLength: 1, description })

const timeOf = (pattern: string) => (description: string) =>
  Type.String({ pattern, format: 'date-time', description, examples: [EXAMPLE] })

/** A date and time with a zone. */
export const Time = timeOf(LOOSE_TIMESTAMP_PATTERN)

/** A date and time with a zone in the one form of signed handoffs and of the database. */
export const StandardTime = timeOf(TIMESTAMP_PATTERN)

/** A date and time with a zone, or null; with an id it is defined once and referred to. */
export const TimeOrNull = (description: string, id?: string) =>
  Type.Unsafe<string | null>({
    ...(id === undefined ? {} : { $id: id }),
    type: ['string', 'null'],
    pattern: LOOSE_TIMESTAMP_PATTERN,
    format: 'date-time',
    description,
    examples: [EXAMPLE],
  })

/** A text or null. */
export const TextOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })

/** An object with free keys and values of one schema. */
export const Named = <Value extends TSchema>(value: Value, description: string) =>
  Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    additionalProperties: value,
    description,
  })
