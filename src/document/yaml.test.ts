import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { Span } from './document.ts'
import { readYaml } from './yaml.ts'

const cut = (text: string, { start, end }: Span) => text.slice(start, end)
const marked = (text: string) =>
  readYaml(text).faults.map(({ code, span }) => [code.replace('syntax/', ''), cut(text, span)])

describe('YAML that is read', () => {
  test.each([
    ['a mapping', 'a: 1\nb: [x, {c: d}]\n', { a: 1, b: ['x', { c: 'd' }] }],
    ['a document marker', '--- # x\na: 1\n...\n', { a: 1 }],
    ['a declared version 1.2', '%YAML 1.2\n---\na: 1\n', { a: 1 }],
    [
      'numbers of the core schema',
      'a: 0777\nb: 0x1F\nc: 0o17\nd: 1e3\ne: -.5\nf: +1',
      { a: 777, b: 31, c: 15, d: 1000, e: -0.5, f: 1 },
    ],
    [
      'other words are strings',
      'a: yes\nb: NO\nc: 12:30:45\nd: 2026-02-11T14:30:00Z\ne: 1_000',
      { a: 'yes', b: 'NO', c: '12:30:45', d: '2026-02-11T14:30:00Z', e: '1_000' },
    ],
    ['empty values', 'a:\nb: ~\nc: null\nd: ""\n', { a: null, b: null, c: null, d: '' }],
    [
      'keys become strings',
      '1: a\n1.5: b\ntrue: c\n5.30: d',
      { 1: 'a', 1.5: 'b', true: 'c', 5.3: 'd' },
    ],
    [
      'tags of the core schema',
      'a: !!str 5\nb: !!int "5"\nc: !!float 1\nd: ! x\ne: !!map {}\nf: !!seq []\ng: !!null ""',
      { a: '5', b: 5, c: 1, d: 'x', e: {}, f: [], g: null },
    ],
    ['an unused anchor', 'a: &x 1', { a: 1 }],
    ['block scalars', 'a: |\n  x\n   y\n\nb: >-\n  x\n  y\n', { a: 'x\n y\n', b: 'x y' }],
    ['a scalar', 'x', 'x'],
    ['null, written', '~', null],
    ['both halves of a character', 'a: "\\ud83d\\ude00"', { a: '😀' }],
    ['a decimal of many digits', 'a: 0.12345678901234567890', { a: 0.12345678901234568 }],
    [
      'line ends of Windows',
      'a: 1\r\nb: |\r\n  x\r\n  y\r\nc: "x\r\n  y"\r\n',
      { a: 1, b: 'x\ny\n', c: 'x y' },
    ],
  ])('%s', (_, text, value) => {
    expect(marked(text)).toEqual([])
    expect(readYaml(text).value).toEqual(value)
    expect(load(text)).toEqual(value)
  })

  test('__proto__ becomes an own key and pollutes nothing', () => {
    const value = readYaml('__proto__: {x: 1}\n? constructor\n').value as Record<string, unknown>
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect(value.x).toBeUndefined()
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})

describe('YAML that is refused', () => {
  test.each([
    ['a key given twice', 'a: 1\na: 2', [['duplicate-key', 'a']]],
    [
      'all keys given twice',
      'a: 1\nb: {c: 1, "c": 2}\na: 2\na: 3',
      [
        ['duplicate-key', '"c"'],
        ['duplicate-key', 'a'],
        ['duplicate-key', 'a'],
      ],
    ],
    [
      'keys that are the same as strings',
      '1: a\n"1": b\n0x1: c',
      [
        ['duplicate-key', '"1"'],
        ['duplicate-key', '0x1'],
      ],
    ],
    ['__proto__ given twice', '__proto__: 1\n__proto__: 2', [['duplicate-key', '__proto__']]],
    [
      'unsafe integers',
      'a: 9007199254740993\nb: 0xFFFFFFFFFFFFFFFF\n-9007199254740992: c',
      [
        ['unsafe-integer', '9007199254740993'],
        ['unsafe-integer', '0xFFFFFFFFFFFFFFFF'],
        ['unsafe-integer', '-9007199254740992'],
      ],
    ],
    [
      'numbers that are not finite',
      'a: .inf\nb: -.Inf\nc: .NAN\nd: 1e400\ne: [1234e56789012]',
      [
        ['non-finite-number', '.inf'],
        ['non-finite-number', '-.Inf'],
        ['non-finite-number', '.NAN'],
        ['non-finite-number', '1e400'],
        ['non-finite-number', '1234e56789012'],
      ],
    ],
    [
      'an integer too large for a double',
      `a: ${'9'.repeat(400)}`,
      [['non-finite-number', '9'.repeat(400)]],
    ],
    ['half a character, escaped', 'a: "\\ud83d"', [['lone-surrogate', '"\\ud83d"']]],
    ['half a character, raw and plain', 'a: x\ud83d', [['lone-surrogate', '\ud83d']]],
    ['half a character, raw and quoted', "a: 'x\ud83d'", [['lone-surrogate', "'x\ud83d'"]]],
    [
      'aliases',
      'a: &x 1\nb: *x\nc: [*x]\n*x : d',
      [
        ['yaml-alias', '*x'],
        ['yaml-alias', '*x'],
        ['yaml-alias', '*x'],
      ],
    ],
    ['an alias of nothing', 'a: *x', [['yaml-alias', '*x']]],
    ['a merge key', 'a: &x {b: 1}\nc:\n  <<: *x', [['yaml-alias', '*x']]],
    [
      'tags of types that JSON has not',
      'a: !!binary aGk=\nb: !!timestamp 2026-02-11\nc: !!set {x}\nd: !!omap []',
      [
        ['yaml-tag', '!!binary'],
        ['yaml-tag', '!!timestamp'],
        ['yaml-tag', '!!set'],
        ['yaml-tag', '!!omap'],
      ],
    ],
    [
      "tags of one's own",
      'a: !x 1\nb: !<tag:x,2026:y> 1',
      [
        ['yaml-tag', '!x'],
        ['yaml-tag', '!<tag:x,2026:y>'],
      ],
    ],
    [
      'tags that their values do not fit',
      'a: !!int x\nb: !!map []\nc: !!str {}',
      [
        ['yaml-tag', '!!int'],
        ['yaml-tag', '!!map'],
        ['yaml-tag', '!!str'],
      ],
    ],
    ['a tag directive', '%TAG !! tag:x,2026:\n---\na: 1', [['yaml-tag', '%TAG !! tag:x,2026:']]],
    ['another version', '%YAML 1.1\n---\na: yes', [['yaml', '%YAML 1.1']]],
    [
      'keys that are null',
      '~: 1\n? \n: 2\n',
      [
        ['yaml-key', '~'],
        ['yaml-key', ''],
      ],
    ],
    [
      'keys that are collections',
      '? [a]\n: 1\n? {b: c}\n: 2',
      [
        ['yaml-key', '[a]'],
        ['yaml-key', '{b: c}'],
      ],
    ],
    ['two documents', 'a: 1\n---\nb: 2', [['multiple-documents', '---']]],
    ['two documents, the first empty', '---\n# x\n---\na: 1', [['multiple-documents', '---']]],
    [
      'two documents, an end marker between them',
      '---\na: 1\n...\nb: 2',
      [['multiple-documents', '...']],
    ],
    ['nothing', '', [['empty', '']]],
    ['nothing but white space', ' \r\n', [['empty', ' \r\n']]],
    ['nothing but a comment and a marker', '# x\n---\n', [['empty', '# x\n---\n']]],
  ])('%s', (_, text, expected) => expect(marked(text)).toEqual(expected))

  test('the second of two documents without content is where it begins', () => {
    expect(readYaml('---\n---\na: 1').faults[0]?.span.start).toBe(4)
  })

  test('a duplicate names the key and the line of the first; the last one counts', () => {
    const { value, faults } = readYaml('x: 0\na: 1\na: 2\n')
    expect(faults[0]?.message).toContain("'a' already exists on line 2")
    expect(readYaml('x: 0\na: 1\na: 2\n', 4).faults[0]?.message).toContain('on line 6')
    expect(value).toEqual({ x: 0, a: 2 })
  })

  test('what else was read is the value', () => {
    expect(readYaml('schema_name: x\na: *y\nb: !z 1\n? [c]\n: .inf\n').value).toEqual({
      schema_name: 'x',
      a: '',
      b: 1,
      '[c]': Number.POSITIVE_INFINITY,
    })
  })
})

describe('nesting', () => {
  const flow = (levels: number, leaf: string) => `${'['.repeat(levels)}${leaf}${']'.repeat(levels)}`
  const block = (levels: number, leaf: string) =>
    Array.from({ length: levels }, (_, i) => `${' '.repeat(i)}a:\n`).join('') +
    ' '.repeat(levels) +
    leaf
  test.each([
    ['a hundred levels of flow', flow(100, '1'), []],
    ['a hundred levels of pairs', '[a: '.repeat(50) + ']'.repeat(50), []],
    ['a hundred levels of mappings', block(100, 'x'), []],
    ['a hundred levels of sequences', `${'- '.repeat(100)}x`, []],
    ['a hundred levels of both', `${'- '.repeat(50)}${flow(50, 'x')}`, []],
    ['more levels of flow', flow(101, ''), ['syntax/too-deep']],
    ['more levels of flow around a value', flow(101, '1'), ['syntax/too-deep']],
    ['more levels of pairs', '[a: '.repeat(51) + ']'.repeat(51), ['syntax/too-deep']],
    ['more levels of mappings', block(101, 'x'), ['syntax/too-deep']],
    ['more levels of sequences', `${'- '.repeat(101)}x`, ['syntax/too-deep']],
    ['ten thousand levels of flow', flow(10_000, ''), ['syntax/too-deep']],
    ['two thousand levels of mappings', block(2000, 'x'), ['syntax/too-deep']],
    ['ten thousand levels of sequences', `${'- '.repeat(10_000)}x`, ['syntax/too-deep']],
  ])('%s', (_, text, expected) => {
    expect(readYaml(text).faults.map(fault => fault.code)).toEqual(expected)
  })

  test('the bracket that is too deep is shown', () => {
    expect(readYaml(`a: ${flow(100, '')}`).faults[0]?.span).toEqual({ start: 102, end: 103 })
  })
})

describe('text that is no YAML', () => {
  test.each([
    ['a tab in the indentation', 'a:\n\tb: 1', '\t', 'tab'],
    ['a bracket that is never closed', 'a: [1, 2', '', 'never closed'],
    ['a bracket that is not closed before the next key', 'a: [1, 2\nb: 3', '[', 'not closed'],
    ['a quote that is never closed', 'a: "x', '', 'never closed'],
    ['a quote that is never closed on its lines', 'a: "x\n\n', '', 'never closed'],
    ['a string that begins with a special character', 'a: @b', '@', 'cannot begin'],
    ['the same in a list', 'a:\n  - `b`', '`', 'cannot begin'],
    ['a list behind a key', 'a: - b', '-', 'cannot begin'],
    ['a missing comma', 'a: ["b" "c"]', '"', 'commas'],
    ['a string with a colon', 'a: b: c', ':', 'complete before this'],
    ['text behind a string in quotes', 'a: "b" c', 'c', 'complete before this'],
    ['wrong indentation', 'a:\n   b: 1\n  c: 2', 'c', 'does not fit'],
    ['a line without a colon', 'a: 1\nbc\n', '', 'without a colon'],
    ['an escape that YAML does not know', 'a: "\\q"', 'q', 'escape'],
    ['a control character', 'a: x\u0000y', '\0', 'control character'],
    ['an undeclared tag handle', 'a: !x!y 1', ' ', 'undeclared tag handle'],
  ])('%s', (_, text, at, message) => {
    expect(marked(text)).toEqual([['yaml', at]])
    expect(readYaml(text).faults[0]?.message).toContain(message)
  })

  test('no message repeats what may be a secret', () => {
    for (const text of [
      'a: !sk-secret<> 1',
      'a: !sk-secret!x 1',
      '%TAG !a! x:\n%TAG !a! y:secret\n---\n1',
    ]) {
      expect(readYaml(text).faults[0]?.message).not.toContain('secret')
    }
  })

  test('the value is a sketch of the root keys', () => {
    const text = `---
schema_name: mission_envelope # a comment
session-id: "quoted"
other: 'single'
url: http://x#y
empty:
block: |
  inner: x
list: [1, 2]
nospace:x
__proto__: y
schema_name: again
broken: [1
`
    expect(marked(text)).toHaveLength(1)
    const { value, locate } = readYaml(text)
    expect(Object.entries(value as object)).toEqual([
      ['schema_name', 'mission_envelope'],
      ['session-id', 'quoted'],
      ['other', 'single'],
      ['url', 'http://x#y'],
      ['empty', null],
      ['block', null],
      ['list', null],
      ['__proto__', 'y'],
      ['broken', null],
    ])
    expect(cut(text, locate(['session-id']))).toBe('"quoted"')
    expect(cut(text, locate(['url'], 'key'))).toBe('url')
    expect(cut(text, locate(['missing']))).toBe(text)
  })

  test('without root keys there is no value', () => {
    const { value, locate } = readYaml('  "x')
    expect(value).toBeUndefined()
    expect(locate(['a'])).toEqual({ start: 0, end: 4 })
  })
})
