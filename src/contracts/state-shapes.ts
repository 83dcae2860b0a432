import Type, { type TSchema } from 'typebox'

/** Other keys are allowed, and shown as an info: the page forbids none. */
export const OPEN = { additionalProperties: true }

/** A key that may be absent. */
export const Maybe = Type.Optional

/** An optional text. */
export const Text = (description: string) => Maybe(Type.String({ description }))

/** An optional yes or no. */
export const Flag = (description: string) => Maybe(Type.Boolean({ description }))

/** An optional list of texts. */
export const Texts = (description: string) =>
  Maybe(Type.Array(Type.String({ description: 'One text.' }), { description }))

/** An optional list of anything. */
export const Entries = (description: string) => Maybe(Type.Array(Type.Unknown(), { description }))

/** An optional value of any shape. */
export const Anything = (description: string) => Maybe(Type.Unknown({ description }))

/** An optional word out of a few. */
export const Choice = <T extends string>(choices: readonly T[], description: string) =>
  Maybe(Type.Unsafe<T>({ enum: [...choices], description }))

/** An optional yes or no that may be unknown. */
export const FlagOrUnknown = (description: string) =>
  Maybe(Type.Unsafe<boolean | 'unknown'>({ enum: [true, false, 'unknown'], description }))

/** An optional low, medium or high. */
export const Risk = (description: string) => Choice(['low', 'medium', 'high'], description)

/** An object that may have further keys. */
export const Part = <T extends Record<string, TSchema>>(properties: T, description: string) =>
  Type.Object(properties, { ...OPEN, description })

/** An optional list of entries of one shape. */
export const List = <T extends TSchema>(entry: T, description: string) =>
  Maybe(Type.Array(entry, { description }))
