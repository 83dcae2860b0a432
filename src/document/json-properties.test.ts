import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Span } from './document.ts'
import { readJson } from './json.ts'

/** A value and how it is printed: with duplicate keys, odd spacing and escapes. */
interface Printed {
  readonly text: string
  readonly value: unknown
  readonly duplicates: number
}

const sum = (items: readonly Printed[]) => items.reduce((total, item) => total + item.duplicates, 0)
const leaf = (value: unknown, text = JSON.stringify(value)): Printed => ({
  text,
  value,
  duplicates: 0,
})

const character = fc.constantFrom('a', 'b', ':', '{', '"', '\\', '\n', 'é', '😀', '_')
const word = fc.oneof(
  fc.string({ unit: character, maxLength: 3 }),
  fc.constantFrom('__proto__', '', 'a'),
)
const string = fc.tuple(word, fc.boolean()).map(([value, isEscaped]) => {
  if (!isEscaped) return { value, text: JSON.stringify(value) }
  const unit = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
  return { value, text: `"${value.split('').map(unit).join('')}"` }
})
const number = fc.oneof(fc.integer(), fc.double({ min: -1e15, max: 1e15, noNaN: true }))
const space = fc.constantFrom('', ' ', '\n  ', '\r\n\t')
const { printed } = fc.letrec<{ printed: Printed; array: Printed; object: Printed }>(tie => ({
  printed: fc.oneof(
    { maxDepth: 5 },
    string.map(({ value, text }) => leaf(value, text)),
    number.map(value => leaf(value)),
    fc.constantFrom(leaf(true), leaf(null)),
    tie('array'),
    tie('object'),
  ),
  array: fc.tuple(fc.array(tie('printed'), { maxLength: 4 }), space).map(([items, gap]) => ({
    text: `[${gap}${items.map(item => item.text).join(`${gap},`)}]`,
    value: items.map(item => item.value),
    duplicates: sum(items),
  })),
  object: fc
    .tuple(fc.array(fc.tuple(string, tie('printed')), { maxLength: 5 }), space)
    .map(([members, gap]) => ({
      text: `{${members.map(([key, item]) => `${gap}${key.text}${gap}:${item.text}`).join()}${gap}}`,
      value: Object.fromEntries(members.map(([key, item]) => [key.value, item.value])),
      duplicates:
        members.length -
        new Set(members.map(([key]) => key.value)).size +
        sum(members.map(([, item]) => item)),
    })),
}))

const edits = fc.array(
  fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...'{}[]",:\\\'/*-.e0x\n\ud800\ufeff', '', '""')),
  { minLength: 1, maxLength: 4 },
)
const broken = fc.tuple(printed, edits).map(([{ text }, edits]) =>
  edits.reduce((text, [at, length, insert]) => {
    const start = at % (text.length + 1)
    return text.slice(0, start) + insert + text.slice(start + length)
  }, text),
)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function partsOf(value: unknown, path: (string | number)[] = []): [(string | number)[], unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [[path, value], ...parts.flatMap(([key, item]) => partsOf(item, [...path, key]))]
}

function expectInside({ start, end }: Span, text: string) {
  expect(start).toBeGreaterThanOrEqual(0)
  expect(end).toBeGreaterThanOrEqual(start)
  expect(end).toBeLessThanOrEqual(text.length)
}

describe('any JSON', () => {
  test('has its value, and as many faults as duplicate keys', () => {
    fc.assert(
      fc.property(printed, ({ text, value, duplicates }) => {
        const reading = readJson(text)
        // As text, which shows the order of keys and an own __proto__.
        expect(JSON.stringify(reading.value)).toBe(JSON.stringify(value))
        expect(reading.faults.map(fault => fault.code)).toEqual(
          Array(duplicates).fill('syntax/duplicate-key'),
        )
      }),
      { numRuns: 1000 },
    )
  })

  test('shows every part where it stands', () => {
    fc.assert(
      fc.property(printed, ({ text, value }) => {
        const { locate } = readJson(text)
        const read = ({ start, end }: Span) =>
          JSON.stringify(readJson(text.slice(start, end)).value)
        for (const [path, part] of partsOf(value)) {
          expect(read(locate(path))).toBe(JSON.stringify(part))
          const key = path.at(-1)
          if (typeof key === 'string') expect(read(locate(path, 'key'))).toBe(JSON.stringify(key))
        }
      }),
    )
  })

  test('has the same faults with other line ends', () => {
    fc.assert(
      fc.property(printed, ({ text }) => {
        const unix = readJson(`${text.replaceAll('\r\n', '\n')},\n`)
        const windows = readJson(`${text.replaceAll('\r\n', '\n')},\n`.replaceAll('\n', '\r\n'))
        expect(JSON.stringify(windows.value)).toBe(JSON.stringify(unix.value))
        expect(windows.faults.map(({ code, message }) => [code, message])).toEqual(
          unix.faults.map(({ code, message }) => [code, message]),
        )
      }),
    )
  })
})

describe('JSON broken at random', () => {
  test('has faults inside its text, and parts inside its text', () => {
    fc.assert(
      fc.property(broken, text => {
        const { value, faults, locate } = readJson(text)
        for (const { span } of faults) expectInside(span, text)
        for (const [path] of partsOf(value)) {
          expectInside(locate(path), text)
          expectInside(locate(path, 'key'), text)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('has a syntax error if and only if it is no JSON any more', () => {
    fc.assert(
      fc.property(broken, text => {
        const codes = readJson(text).faults.map(fault => fault.code)
        const isBroken = codes.includes('syntax/json') || codes.includes('syntax/empty')
        expect(isBroken).toBe(!isJson(text))
      }),
      { numRuns: 2000 },
    )
  })
})
