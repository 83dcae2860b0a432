import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { dump } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { readByParser, readYaml } from './yaml.ts'
import { readPlainYaml } from './yaml-plain.ts'

const RUNS = 4000

const NASTY = [
  ...'abnt019-.:#,[]{}"\'|>&*!%@`?~=<\\/_+e éx\u00a0\u2028😀'.split(''),
  ...['\n', '\n', '\n', ' ', ' ', '  ', '    ', '\t', '\r\n', '\ud800', '\ufeff', '\u0085', '\0'],
  ...[': ', ': ', ':\n', '- ', '- ', '-\n', ' #', '# ', ', ', '---', '...', '---\n', '...\n'],
  ...['a: ', 'b:', 'c: d', '\na: ', '\nb:\n', '\n  c: ', '\n  - ', '\n- ', '\n  # x\n', '\n\n'],
  ...['"x"', "'y'", "''", '""', '\\n', '\\"', '\\x', '\\u00e9', '[]', '{}', '[a, b]', '{a: b}'],
  ...['|\n', '|-\n', '|+\n', '>\n', '|2\n', '    x\n', '  y z\n', '\n      ', '\n   \n'],
  ...['null', 'true', 'False', '~', '.inf', '.nan', '1e3', '1e400', '0x1F', '0o7', '-0', '007'],
  ...[
    '9007199254740993',
    '1.5',
    '2026-02-11',
    '12:30:45',
    '__proto__',
    'toString',
    '<<',
    '&a ',
    '*a',
  ],
  ...['!!str ', '? ', '%YAML 1.2\n', '? a\n: b', 'http://x.y#z', 'C#', 'a b', '--flag', '-1'],
]
const nasty = fc.array(fc.constantFrom(...NASTY), { maxLength: 24 }).map(pieces => pieces.join(''))

const word = fc.constantFrom(
  'word',
  'two words',
  '"three more"',
  "'it''s'",
  '[x, "y", 3]',
  '{z: 1}',
)
const line = fc
  .tuple(
    fc.constantFrom(0, 0, 0, 2, 2, 4),
    fc.constantFrom('', '', '', '- ', '- ', '- - ', '-   '),
    fc.constantFrom('K: ', 'K: ', 'K:', 'K d:  ', '"K": ', "'K ' : ", '', '~: ', '.K: ', '# K: '),
    fc.oneof({ weight: 2, arbitrary: word }, fc.constant(''), fc.constantFrom(...NASTY)),
    fc.constantFrom('', '', '', ' ', ' # c', '# c', '\n', '\n  # c\n'),
  )
  .map(([indent, dashes, key, value, end]) => ' '.repeat(indent) + dashes + key + value + end)
// Keys that differ, since of equal ones nothing more is read.
const lines = fc
  .array(line, { minLength: 1, maxLength: 8 })
  .map(lines => lines.map((line, i) => line.replace('K', 'jklmnopq'.charAt(i))).join('\n'))

const key = fc.constantFrom('a', 'b', 'c d', '1', '__proto__', 'null', 'k-e.y', 'é', ':x', '- y')
const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: fc.constantFrom(...'ab1 :#-"\'\n,{é😀\\'), maxLength: 8 }),
    fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(m => Object.fromEntries(m)),
  ),
}))
const printed = fc
  .tuple(value, fc.integer({ min: 2, max: 4 }), fc.constantFrom(-1, 0, 1, 2), fc.boolean())
  .map(([value, indent, flowLevel, seqNoIndent]) =>
    dump({ root: value }, { indent, flowLevel, seqNoIndent, noRefs: true }),
  )

const contracts = join(import.meta.dirname, '../contracts')
const FIXTURES = globSync('*/fixtures/**/*.yaml', { cwd: contracts })
  .sort()
  .map(name => ({ name, text: readFileSync(join(contracts, name), 'utf8') }))
const edits = fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...NASTY)), { maxLength: 3 })
const mutated = fc
  .tuple(fc.oneof(fc.constantFrom(...FIXTURES.map(f => f.text.slice(0, 1500))), printed), edits)
  .map(([text, edits]) =>
    edits.reduce((text, [at, length, insert]) => {
      const start = at % (text.length + 1)
      return text.slice(0, start) + insert + text.slice(start + length)
    }, text),
  )

type Keys = (string | number)[]

function pathsOf(value: unknown, path: Keys = []): Keys[] {
  if (typeof value !== 'object' || value === null) return [path]
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [path, ...parts.flatMap(([key, part]) => pathsOf(part, [...path, key]))]
}

/** Gives whether the text is plain; if it is, everything has to be as the parser has it. */
function isReadAlike(text: string): boolean {
  const value = readPlainYaml(text)
  if (value === undefined) return false
  const expected = readByParser(text)
  expect(expected.faults).toEqual([])
  expect(value).toStrictEqual(expected.value)
  // As text, which shows the order of keys.
  expect(JSON.stringify(value)).toBe(JSON.stringify(expected.value))
  const { locate } = readYaml(text)
  for (const path of [...pathsOf(value), ['no', 'such'], [0, 'such']]) {
    expect(locate(path)).toEqual(expected.locate(path))
    expect(locate(path, 'key')).toEqual(expected.locate(path, 'key'))
  }
  return true
}

describe('a text that is read without the parser', () => {
  test.each([
    ['made of nasty pieces', nasty, 0.02],
    ['made of nasty lines', lines, 0.03],
    ['printed by the library', printed, 0.2],
    ['edited', mutated, 0.2],
  ])('has the value and the places that the parser finds: %s', (_, texts, atLeast) => {
    let plain = 0
    fc.assert(
      fc.property(texts, text => {
        if (isReadAlike(text)) plain++
      }),
      { numRuns: RUNS },
    )
    // Otherwise hardly anything was compared.
    expect(plain).toBeGreaterThan(RUNS * atLeast)
  })

  test.each(FIXTURES)('has the value and the places that the parser finds: $name', ({ text }) => {
    isReadAlike(text)
  })

  test('is most of what people write', () => {
    const plain = FIXTURES.filter(({ text }) => readPlainYaml(text) !== undefined)
    expect(plain.length).toBeGreaterThan(FIXTURES.length * 0.9)
  })

  test.each([
    ['comments', '# x\na: 1 # y\n# z\nb:  # y\n  c: 2\n\n# end', { a: 1, b: { c: 2 } }],
    ['a marker before it', '---\na: 1\n', { a: 1 }],
    [
      'a sequence right below its key',
      'a:\n- 1\n- b: 2\n  c:\nd:',
      { a: [1, { b: 2, c: null }], d: null },
    ],
    ['sequences on one line', '- - 1\n  -   - 2\n-\n  - 3\n-\n', [[1, [2]], [3], null]],
    ['quotes', `"a b": 'it''s' # x\n'c': "\\"\\\\\\n"`, { 'a b': "it's", c: '"\\\n' }],
    ['brackets', 'a: [x, "y", [], {b: 1, c: {}}] # x', { a: ['x', 'y', [], { b: 1, c: {} }] }],
    ['a literal block', 'a: |\n  x\n\n   y\n\nb: |-\n  z', { a: 'x\n\n y\n', b: 'z' }],
    [
      'a literal block with spaces on empty lines',
      'a: |\n  x\n \n  y\n  \nb: |\n  x\n   \n',
      { a: 'x\n\ny\n', b: 'x\n \n' },
    ],
    ['colons and hashes in words', 'a: http://x#y\nb: C#', { a: 'http://x#y', b: 'C#' }],
    [
      'numbers, booleans and null',
      '- -1.5\n- True\n- ~\n- nully\n- 12',
      [-1.5, true, null, 'nully', 12],
    ],
    ['no line end', '- 😀', ['😀']],
  ])('may hold %s', (_, text, value) => {
    expect(readPlainYaml(text)).toEqual(value)
    isReadAlike(text)
  })

  test.each([
    ['a key given twice', 'a: 1\na: 2'],
    ['a key that every object has', 'toString: 1'],
    ['a key that is null', '~: 1'],
    ['an unsafe integer', 'a: 9007199254740993'],
    ['an infinite number', 'a: .inf'],
    ['half a character', 'a: \ud83d'],
    ['a control character', 'a: x\u0085'],
    ['a tab', 'a:\tb'],
    ['a text over lines', 'a: b\n  c'],
    ['another escape', 'a: "\\x41"'],
    ['an alias', 'a: *b'],
    ['a second document', 'a: 1\n---\nb: 2'],
    ['a text in a marker of a second document', 'a: 1\n--- b: 2'],
    ['an end marker', 'a: 1\n... b: 2'],
    ['a pair in a sequence', 'a: [b:, c]'],
    ['a pair without a value', 'a: {b:}'],
    ['an indented root', '  a: 1'],
    ['a folded block', 'a: >\n  b'],
    ['wrong indentation', 'a:\n    b: 1\n  c: 2'],
    ['nothing', '# x\n'],
    ['a scalar alone', 'a'],
    ['deep nesting', `a: ${'['.repeat(51)}${']'.repeat(51)}`],
  ])('does not hold %s', (_, text) => expect(readPlainYaml(text)).toBeUndefined())
})
