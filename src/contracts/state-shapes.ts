import Type, { type TSchema } from 'typebox'

/** Allows other keys and reports them as an info. */
export const OPEN = { additionalProperties: true }

/** A key that may be absent. */
export const Maybe = Type.Optional

/** An optional text. */
export const Text = (description: string) => Maybe(Type.String({ description }))

/** An optional boolean. */
export const Flag = (description: string) => Maybe(Type.Boolean({ description }))

/** An optional list of texts. */
export const Texts = (description: string) =>
  Maybe(Type.Array(Type.String({ description: 'One text.' }), { description }))

/** An optional list of anything. */
export const Entries = (description: string) => Maybe(Type.Array(Type.Unknown(), { description }))

/** An optional value of any shape. */
export const Anything = (description: string) => Maybe(Type.Unknown({ description }))

/** An optional enum. */
export const Choice = <T extends string>(choices: readonly T[], description: string) =>
  Maybe(Type.Unsafe<T>({ enum: [...choices], description }))

/** An optional boolean that may be unknown. */
export const FlagOrUnknown = (description: string) =>
  Maybe(Type.Unsafe<boolean | 'unknown'>({ enum: [true, false, 'unknown'], description }))

/** An optional low, medium or high. */
export const Risk = (description: string) => Choice(['low', 'medium', 'high'], description)

/** An object that may have other keys. */
export const Part = <T extends Record<string, TSchema>>(properties: T, description: string) =>
  Type.Object(properties, { ...OPEN, description })

/** An optional list of entries with one schema. */
export const List = <T extends TSchema>(entry: T, description: string) =>
  Maybe(Type.Array(entry, { description }))
