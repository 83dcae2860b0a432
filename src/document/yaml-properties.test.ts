import fc from 'fast-check'
import { dump, load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { Span } from './document.ts'
import { readYaml } from './yaml.ts'

const character = fc.constantFrom(
  'a',
  '1',
  ' ',
  ':',
  '#',
  '-',
  '"',
  "'",
  '\n',
  '{',
  ',',
  '\\',
  'é',
  '😀',
  '\t',
)
const key = fc.oneof(
  fc.string({ unit: character, maxLength: 4 }),
  fc.constantFrom('__proto__', '', 'null', '1'),
)
const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: character, maxLength: 8 }),
    fc.oneof(
      fc.integer(),
      fc.double({ min: -1e15, max: 1e15, noNaN: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map(members => Object.fromEntries(members)),
  ),
}))
const layout = fc.record({
  indent: fc.integer({ min: 2, max: 4 }),
  lineWidth: fc.constantFrom(10, 80),
  flowLevel: fc.constantFrom(-1, 0, 1, 2),
  seqNoIndent: fc.boolean(),
})
const printed = fc.tuple(value, layout).map(([value, layout]) => ({
  value,
  text: dump(value, { ...layout, noRefs: true }),
}))
const edits = fc.array(
  fc.tuple(
    fc.nat(),
    fc.nat(3),
    fc.constantFrom(
      ...'{}[]",:\\\'#-?&*!|>%@`\n\t \ud800\r.e0',
      '',
      '---\n',
      '&a ',
      '*a',
      '!!int ',
      '? ',
      '- ',
      '\n\n',
    ),
  ),
  { minLength: 1, maxLength: 4 },
)
const broken = fc.tuple(printed, edits).map(([{ text }, edits]) =>
  edits.reduce((text, [at, length, insert]) => {
    const start = at % (text.length + 1)
    return text.slice(0, start) + insert + text.slice(start + length)
  }, text),
)

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

/** What the library makes of a text by itself, or `undefined` if it refuses. */
function loaded(text: string): { value: unknown } | undefined {
  try {
    return { value: load(text, { maxAliases: 0 }) }
  } catch {
    return undefined
  }
}

describe('any YAML', () => {
  test('has its value and no fault, also with the line ends of Windows', () => {
    fc.assert(
      fc.property(printed, ({ text, value }) => {
        for (const variant of [text, text.replaceAll('\n', '\r\n')]) {
          const reading = readYaml(variant)
          expect(reading.faults).toEqual([])
          // As text, which shows the order of keys and an own __proto__.
          expect(JSON.stringify(reading.value)).toBe(JSON.stringify(value))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('shows every part inside its parent, and its key before it', () => {
    fc.assert(
      fc.property(printed, ({ text, value }) => {
        const { locate } = readYaml(text)
        for (const [path] of partsOf(value)) {
          const span = locate(path)
          const parent = locate(path.slice(0, -1))
          expect(span.start).toBeGreaterThanOrEqual(parent.start)
          expect(span.end).toBeLessThanOrEqual(parent.end)
          if (typeof path.at(-1) !== 'string') continue
          expect(locate(path, 'key').end).toBeLessThanOrEqual(span.start)
          expect(locate(path, 'key').start).toBeGreaterThanOrEqual(parent.start)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('shows values where the text, read alone, gives them', () => {
    fc.assert(
      fc.property(printed, ({ text, value }) => {
        const { locate } = readYaml(text)
        for (const [path, part] of partsOf(value)) {
          const { start, end } = locate(path)
          const source = text.slice(start, end)
          expect(source).toBe(source.trim())
          // A block scalar or a string over lines is another string without its indentation.
          // At the start of a line these begin and end documents.
          if (/^(?:---|\.\.\.)(?:\s|$)/.test(source)) continue
          if (part === null || /\n/.test(source) || /[|>][0-9+-]*\n\s*$/.test(text.slice(0, start)))
            continue
          expect(load(source)).toEqual(part)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('YAML broken at random', () => {
  test('has faults inside its text, and parts inside its text', () => {
    fc.assert(
      fc.property(broken, text => {
        const { value, faults, locate } = readYaml(text)
        for (const { span } of faults) expectInside(span, text)
        for (const [path] of partsOf(value)) {
          expectInside(locate(path), text)
          expectInside(locate(path, 'key'), text)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('without a fault it has the value that the library gives it', () => {
    fc.assert(
      fc.property(broken, text => {
        const { value, faults } = readYaml(text)
        if (faults.length === 0) expect(loaded(text)).toEqual({ value })
      }),
      { numRuns: 3000 },
    )
  })

  test('has a fault wherever the library refuses', () => {
    fc.assert(
      fc.property(broken, text => {
        if (!loaded(text)) expect(readYaml(text).faults).not.toEqual([])
      }),
      { numRuns: 3000 },
    )
  })
})
