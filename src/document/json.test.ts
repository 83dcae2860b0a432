import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import type { Span } from './document.ts'
import { readJson } from './json.ts'

const codes = (text: string) => readJson(text).faults.map(fault => fault.code)
const marked = (text: string) =>
  readJson(text).faults.map(({ code, span }) => [code, text.slice(span.start, span.end)])
const cut = (text: string, { start, end }: Span) => text.slice(start, end)
const nested = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels)

describe('JSON that is read', () => {
  test.each([
    ['an object', '{"a": [1, {"b": null}], "c": "x"}'],
    ['a scalar', ' "x" '],
    ['an own __proto__', '{"__proto__": {"x": 1}}'],
    ['an own constructor and an empty key', '{"constructor": 1, "": {"": 2}}'],
    ['the same key in two objects', '[{"a": 1}, {"a": {"a": 2}}]'],
    ['keys that differ in case or in escapes of different text', '{"a": 1, "A": 2, "\\u0061b": 3}'],
    ['a hundred levels', nested(100, '1')],
    ['the largest safe integers', '[9007199254740991, -9007199254740991]'],
    ['a fraction of many digits', '[0.12345678901234567890, 9007199254740993.0]'],
    ['exponents that are finite', '[1e5, 1E-400, 1e300]'],
    ['both halves of a character', '["\\ud83d\\ude00", "😀", "\\uD83D\\uDE00"]'],
    ['an escape that only looks like half a character', '["\\\\ud800"]'],
    ['line ends of every kind between tokens', '{\r\n"a":\r1,\n"b": 2}\r\n'],
  ])('%s', (_, text) => {
    const { value, faults } = readJson(text)
    expect(faults).toEqual([])
    expect(value).toEqual(JSON.parse(text))
  })

  test('__proto__ pollutes nothing, also when it has to be recovered', () => {
    for (const text of ['{"__proto__": {"x": 1}}', '{"__proto__": {"x": 1},}']) {
      const value = readJson(text).value as Record<string, unknown>
      expect(Object.hasOwn(value, '__proto__')).toBe(true)
      expect(value.x).toBeUndefined()
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    }
  })
})

test('a key with an escape keeps its name, whatever was read before', () => {
  // Without this, V8 gives the second text the key of the first.
  for (let i = 0; i < 100; i++) {
    readJson('{"h": [], "\\\\": 0}')
    expect(readJson('{"h": 1, "\\n": 2}').value).toEqual({ h: 1, '\n': 2 })
    expect(readJson('{"h": 1, "\\"" : 2}').value).toEqual({ h: 1, '"': 2 })
    expect(readJson('{"h": 1, "\\/": 2}').value).toEqual({ h: 1, '/': 2 })
  }
})

describe('JSON that two parsers read differently', () => {
  test.each([
    ['a key given twice', '{"a": 1, "a": 2}', [['syntax/duplicate-key', '"a"']]],
    [
      'each further time',
      '{"a": 1, "a": 2, "a": 3}',
      [
        ['syntax/duplicate-key', '"a"'],
        ['syntax/duplicate-key', '"a"'],
      ],
    ],
    [
      'a key given twice deep inside',
      '[{"b": {"a": 1, "a": 1}}]',
      [['syntax/duplicate-key', '"a"']],
    ],
    [
      'a key given twice in an object that is overridden',
      '{"a": {"b": 1, "b": 2}, "a": 0}',
      [
        ['syntax/duplicate-key', '"b"'],
        ['syntax/duplicate-key', '"a"'],
      ],
    ],
    [
      'a key that is the same once unescaped',
      '{"a": 1, "\\u0061": 2}',
      [['syntax/duplicate-key', '"\\u0061"']],
    ],
    [
      '__proto__ given twice',
      '{"__proto__": 1, "__proto__": 2}',
      [['syntax/duplicate-key', '"__proto__"']],
    ],
    ['the empty key given twice', '{"": 1, "": 2}', [['syntax/duplicate-key', '""']]],
    [
      'an integer beyond 2^53',
      '[9007199254740993]',
      [['syntax/unsafe-integer', '9007199254740993']],
    ],
    ['2^53 itself', '[-9007199254740992]', [['syntax/unsafe-integer', '-9007199254740992']]],
    ['a number too large for a double', '{"a": -1e400}', [['syntax/non-finite-number', '-1e400']]],
    [
      'an integer too large for a double',
      `[${'9'.repeat(400)}]`,
      [['syntax/non-finite-number', '9'.repeat(400)]],
    ],
    ['half a character in a string', '["x\\ud83d"]', [['syntax/lone-surrogate', '"x\\ud83d"']]],
    ['half a character in a key', '{"\\uDE00": 1}', [['syntax/lone-surrogate', '"\\uDE00"']]],
    ['half a character that is not escaped', '["\ud83d"]', [['syntax/lone-surrogate', '"\ud83d"']]],
    [
      'halves in the wrong order',
      '["\\ude00\\ud83d"]',
      [['syntax/lone-surrogate', '"\\ude00\\ud83d"']],
    ],
  ])('%s', (_, text, expected) => {
    expect(marked(text)).toEqual(expected)
    expect(readJson(text).value).toEqual(JSON.parse(text))
  })

  test('a duplicate names the key and the line of the first', () => {
    const text = '{\n  "a": 1,\n  "a": 2\n}'
    expect(readJson(text).faults[0]?.message).toContain("'a' already exists on line 2")
    expect(readJson(text, 10).faults[0]?.message).toContain('on line 12')
  })

  test('each of several duplicates names the first of its own kind', () => {
    const text = '{\n"a": 1,\n"b": 1,\n"a": 2,\n"b": 2,\n"a": 3\n}'
    const lines = readJson(text).faults.map(({ message }) => /'.' .* line [0-9]/.exec(message)?.[0])
    const of = (key: string, line: number) => `'${key}' already exists on line ${line}`
    expect(lines).toEqual([of('a', 2), of('b', 3), of('a', 2)])
  })

  test('a key in a message is short and cannot rewrite a terminal', () => {
    const key = `\u001b[2J\u202e${'x'.repeat(500)}`
    const text = `{${JSON.stringify(key)}: 1, ${JSON.stringify(key)}: 2}`
    const message = readJson(text).faults[0]?.message ?? ''
    expect(message).toContain("'\\u{1b}[2J\\u{202e}xxx")
    expect(message.length).toBeLessThan(200)
  })

  test('faults of all kinds come in the order of the text', () => {
    expect(codes('{"a": "\\ud800", "b": 1e999, "b": 9999999999999999, "c" 1,}')).toEqual([
      'syntax/lone-surrogate',
      'syntax/non-finite-number',
      'syntax/duplicate-key',
      'syntax/unsafe-integer',
      'syntax/json',
      'syntax/json',
    ])
  })
})

describe('text that is no JSON', () => {
  test.each([
    ['a trailing comma in an object', '{"a": 1 , }', [','], { a: 1 }],
    ['a trailing comma in an array', '[1,\n]', [','], [1]],
    ['two commas', '[1,,2]', [','], [1, 2]],
    ['a missing comma', '{"a": 1 "b": 2}', ['"b"'], { a: 1, b: 2 }],
    ['missing commas', '[1 2 3]', ['2', '3'], [1, 2, 3]],
    ['a missing colon', '{"a" 1, "b": 2}', ['1'], { a: null, b: 2 }],
    ['a missing value', '{"a":, "b": 2}', [','], { a: null, b: 2 }],
    ['keys without quotes', '{a: 1, b: 2}', ['a', 'b'], {}],
    ['single quotes', "{'a': 'x'}", ["'a'", "'x'"], { a: 'x' }],
    ['typographic quotes', '{“a”: “x”}', ['“a”', '“x”'], { a: 'x' }],
    ['comments', '// x\n{"a": 1 /* y */}', ['// x', '/* y */'], { a: 1 }],
    ['words of other languages', '{"a": None, "b": NaN}', ['None', 'NaN'], { a: null, b: null }],
    ['a bare word', '{"a": yes}', ['yes'], { a: null }],
    ['a bracket of the wrong kind', '{"a": [1, 2}', ['}'], { a: [1, 2] }],
    ['a bracket too many', '[1]]', [']'], [1]],
    ['two values', '{"a": 1}\n{"b": 2}\n', ['{"b": 2}'], { a: 1 }],
    ['a string that is not closed', '{"a": "x\n}', ['"x'], { a: 'x' }],
    ['a number that is not complete', '[1., 2]', ['1.'], [1, 2]],
    ['a leading zero', '[01]', ['01'], [0, 1]],
    ['an unknown escape', '["\\x"]', ['"\\x"'], ['']],
    ['an escape without digits', '["\\u12"]', ['"\\u12"'], ['']],
    ['a tab in a string', '["\t"]', ['"\t"'], ['\t']],
    ['the text ends in an object', '{"a": {"b": 1\n', [''], { a: { b: 1 } }],
    ['the text ends after a key', '{"a"', [''], { a: null }],
    ['a byte order mark', '\ufeff{}', ['\ufeff'], {}],
    ['a bracket alone', '}', ['}'], undefined],
  ])('%s', (_, text, expected, value) => {
    expect(marked(text)).toEqual(expected.map(part => ['syntax/json', part]))
    expect(readJson(text).value).toEqual(value)
  })

  test('the text ends behind its last character', () => {
    expect(readJson('{"a": 1 \n').faults[0]?.span).toEqual({ start: 7, end: 7 })
  })

  test('a comment that never ends stretches nothing beyond the text', () => {
    const { faults, locate } = readJson('[1, /*')
    expect(faults.every(({ span }) => span.end <= 6)).toBe(true)
    expect(locate([])).toEqual({ start: 0, end: 6 })
  })

  test('ten errors are enough', () => {
    expect(codes(`[${'1 '.repeat(50)}]`)).toHaveLength(10)
  })

  test('no message repeats what may be a secret', () => {
    for (const text of [
      '{"token": sk-secret}',
      "{'token': 'sk-secret'}",
      '{"token": "sk-secret\n}',
    ]) {
      for (const { message, hint } of readJson(text).faults)
        expect(message + hint).not.toContain('secret')
    }
  })

  test.each([[''], [' \r\n\t']])('nothing but white space: %j', text => {
    expect(marked(text)).toEqual([['syntax/empty', text]])
    expect(readJson(text).value).toBeUndefined()
  })
})

describe('nesting', () => {
  test('more than a hundred levels are refused where they begin', () => {
    const text = `{"schema_name": "x", "a": ${nested(101)}}`
    expect(codes(text)).toEqual(['syntax/too-deep'])
    expect(readJson(text).faults[0]?.span).toEqual({ start: 125, end: 126 })
  })

  test('what stands before is still recognised, and its faults are reported', () => {
    const text = `{"schema_name": "x", "a": 1e400, "b" 1, "c": ${nested(200)}}`
    expect(codes(text)).toEqual(['syntax/non-finite-number', 'syntax/json', 'syntax/too-deep'])
    expect(readJson(text).value).toMatchObject({ schema_name: 'x' })
  })

  test.each([
    ['brackets', '['.repeat(100_000)],
    ['braces', '{"a":'.repeat(100_000)],
    ['closed brackets', nested(100_000)],
    ['closed brackets, parsed before they are counted', nested(32_768)],
    ['closed brackets, counted before they are parsed', nested(32_769)],
    ['behind a broken string', `"\n${'['.repeat(100_000)}`],
    ['with brackets of the wrong kind', '[},'.repeat(100_000)],
  ])('a hundred thousand levels overflow nothing: %s', (_, text) => {
    expect(codes(text)).toContain('syntax/too-deep')
  })
})

describe('hostile text is read in linear time', () => {
  test.each([
    ['quotes', '"'.repeat(100_000)],
    ['backslashes', `"${'\\'.repeat(100_000)}`],
    ['escaped quotes', `"${'\\"'.repeat(50_000)}`],
    ['commas', `[${','.repeat(100_000)}]`],
    ['colons', `{${':'.repeat(100_000)}}`],
    ['slashes', '/'.repeat(100_000)],
    ['comments that never end', '/*'.repeat(50_000)],
    ['words', 'a '.repeat(50_000)],
    ['spaces', `${' '.repeat(100_000)}x`],
    ['errors between spaces', `[${'x          '.repeat(10_000)}`],
    ['duplicate keys', `{${Array(200_000).fill('"a": 1').join()}}`],
    ['many keys', `{${Array.from({ length: 50_000 }, (_, i) => `"k${i}": ${i}`).join()}, "k0": 0}`],
    ['unsafe integers', `[${Array(20_000).fill('9999999999999999').join()}]`],
  ])('%s', async (_, text) => {
    const ms = await cpuTimeOf(() => {
      const { faults, locate } = readJson(text)
      for (let i = 0; i < 1000; i++) locate([`k${i}`])
      expect(faults.length).toBeGreaterThan(0)
    })
    expect(ms).toBeLessThan(5000)
  })
})

describe('where a part of the value stands', () => {
  const text = '{ "a" : [1, {"b/c": "x"}], "": {}, "a": [true , -1.5e1 , null] }'
  test.each([
    ['the root', [], 'value', text],
    ['the root has no key', [], 'key', text],
    ['of a duplicate key the last', ['a'], 'value', '[true , -1.5e1 , null]'],
    ['its key with quotes', ['a'], 'key', '"a"'],
    ['an item', ['a', 1], 'value', '-1.5e1'],
    ['an item by a digit, as in a pointer', ['a', '1'], 'value', '-1.5e1'],
    ['an item has no key', ['a', 0], 'key', 'true'],
    ['the empty key', [''], 'key', '""'],
    ['a missing member: its object', ['', 'x', 'y'], 'value', '{}'],
    ['a missing item: its array', ['a', 7], 'key', '[true , -1.5e1 , null]'],
    ['an index that is not written as one', ['a', '01'], 'value', '[true , -1.5e1 , null]'],
    ['inside a scalar: the scalar', ['a', 0, 'length'], 'value', 'true'],
    ['what every object inherits is missing', ['toString'], 'value', text],
  ] as const)('%s', (_, path, part, expected) => {
    expect(cut(text, readJson(text).locate(path, part))).toBe(expected)
  })

  test('of a duplicate key the last key', () => {
    expect(readJson(text).locate(['a'], 'key').start).toBe(text.lastIndexOf('"a"'))
  })

  test('in broken text as far as it goes', () => {
    const broken = '{"a": {"b": 1, "c"'
    expect(cut(broken, readJson(broken).locate(['a', 'b']))).toBe('1')
    expect(cut(broken, readJson(broken).locate(['a', 'c'], 'key'))).toBe('"c"')
    expect(cut(broken, readJson(broken).locate(['x']))).toBe(broken)
  })
})
