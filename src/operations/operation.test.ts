import { expectTypeOf, test } from 'vitest'
import type { TypeOf } from './operation.ts'

const described = { description: 'A part.' } as const
const text = { type: 'string', ...described } as const
const pair = {
  type: 'object',
  required: ['name'],
  properties: { name: text, count: { type: 'integer', ...described } },
  additionalProperties: false,
} as const

// It is the compiler that fails these: they compare types and nothing that runs.
test('a schema that is written as a constant is read as the type of its values', () => {
  expectTypeOf<TypeOf<typeof text>>().toEqualTypeOf<string>()
  expectTypeOf<TypeOf<{ readonly type: 'boolean' }>>().toEqualTypeOf<boolean>()
  expectTypeOf<TypeOf<{ readonly type: readonly ['string', 'null'] }>>().toEqualTypeOf<
    string | null
  >()
  expectTypeOf<TypeOf<{ readonly type: 'boolean'; readonly const: true }>>().toEqualTypeOf<true>()
  expectTypeOf<
    TypeOf<{ readonly type: 'string'; readonly enum: readonly ['a', 'b'] }>
  >().toEqualTypeOf<'a' | 'b'>()
  expectTypeOf<TypeOf<{ readonly type: 'array'; readonly items: typeof text }>>().toEqualTypeOf<
    readonly string[]
  >()
})

test('what is not required may be absent, but not undefined', () => {
  expectTypeOf<TypeOf<typeof pair>>().toEqualTypeOf<{
    readonly name: string
    readonly count?: number
  }>()
})

test('alternatives are a union, and a word that is not read makes a part unknown', () => {
  expectTypeOf<TypeOf<{ readonly anyOf: readonly [typeof pair, typeof text] }>>().toEqualTypeOf<
    { readonly name: string; readonly count?: number } | string
  >()
  expectTypeOf<TypeOf<{ readonly $ref: '#/x' }>>().toEqualTypeOf<unknown>()
})
