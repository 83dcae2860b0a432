import { describe, expect, test } from 'vitest'
import { readYaml } from './yaml.ts'

const text = `# a comment
plain: some words # a comment
"quoted": "x\\ty"
'single' : 'it''s'
multi: one
  two
block: |  # a comment

  first
   second

fold: >+
  text

seq:
- a
-
- - b
  - c: d # a comment
    e:
- {f: 1, g: [2, 3 ] , h, i: , }  # a comment
-  # only a comment
flow: [x: 1, "y": z, [k]
  , ? m : n ]
? explicit
: - o
? alone
empty: # a comment
tagged: !!str &anchor  word
bare: !!str
last:
    deep: {}

`

describe('where a part of a YAML value stands', () => {
  test.each([
    ['a plain scalar', ['plain'], 'some words'],
    ['a scalar in double quotes', ['quoted'], '"x\\ty"'],
    ['a scalar in single quotes', ['single'], "'it''s'"],
    ['a plain scalar over lines', ['multi'], 'one\n  two'],
    ['a literal block', ['block'], 'first\n   second'],
    ['a folded block that keeps its end', ['fold'], 'text'],
    ['an item', ['seq', 0], 'a'],
    ['an item by a digit', ['seq', '0'], 'a'],
    ['a sequence in a sequence', ['seq', 2], '- b\n  - c: d # a comment\n    e:'],
    ['a mapping in a sequence', ['seq', 2, 1], 'c: d # a comment\n    e:'],
    ['a flow mapping', ['seq', 3], '{f: 1, g: [2, 3 ] , h, i: , }'],
    ['a flow sequence', ['seq', 3, 'g'], '[2, 3 ]'],
    ['an item of a flow sequence', ['seq', 3, 'g', 1], '3'],
    ['a flow sequence over lines', ['flow'], '[x: 1, "y": z, [k]\n  , ? m : n ]'],
    ['a pair in a flow sequence', ['flow', 0], 'x: 1'],
    ['a pair with a quoted key', ['flow', 1], '"y": z'],
    ['an item behind a pair', ['flow', 2], '[k]'],
    ['an explicit pair', ['flow', 3, 'm'], 'n'],
    ['the value of an explicit key', ['explicit'], '- o'],
    ['a value with tag and anchor', ['tagged'], 'word'],
    ['the last collection, without trailing white space', ['last'], 'deep: {}'],
    ['an empty collection', ['last', 'deep'], '{}'],
    ['a missing member: its mapping', ['last', 'x', 'y'], 'deep: {}'],
    ['a missing item: its sequence', ['seq', 3, 'g', 2], '[2, 3 ]'],
    ['the root', [], text.slice(text.indexOf('plain'), text.trimEnd().length)],
  ])('%s', (_, path, expected) => {
    const { value, faults, locate } = readYaml(text)
    expect(faults).toEqual([])
    expect(value).toBeDefined()
    const { start, end } = locate(path)
    expect(text.slice(start, end)).toBe(expected)
  })

  test.each([
    ['a plain key', ['plain'], 'plain'],
    ['a key in double quotes', ['quoted'], '"quoted"'],
    ['a key in single quotes', ['single'], "'single'"],
    ['an explicit key', ['explicit'], 'explicit'],
    ['an explicit key without a value', ['alone'], 'alone'],
    ['a key in a flow mapping', ['seq', 3, 'h'], 'h'],
    ['a key of a pair', ['flow', 1, 'y'], '"y"'],
    ['an item has no key', ['seq', 0], 'a'],
  ])('the key of %s', (_, path, expected) => {
    const { start, end } = readYaml(text).locate(path, 'key')
    expect(text.slice(start, end)).toBe(expected)
  })

  test.each([
    ['behind its colon', ['empty'], 'empty:'],
    ['behind its colon at the end of a mapping', ['seq', 2, 1, 'e'], 'e:'],
    ['behind its dash', ['seq', 1], '- a\n-'],
    ['behind its dash, before a comment', ['seq', 4], ', }  # a comment\n-'],
    ['behind its colon in a flow mapping', ['seq', 3, 'i'], ' i:'],
    ['behind its key where there is no colon', ['seq', 3, 'h'], ' h'],
    ['behind its explicit key', ['alone'], '? alone'],
    ['behind its tag', ['bare'], 'bare: !!str'],
  ])('an empty value stands %s', (_, path, before) => {
    const { start, end } = readYaml(text).locate(path)
    expect(end).toBe(start)
    expect(text.slice(0, start).endsWith(before)).toBe(true)
  })

  test.each([
    ['a pair whose key is a sequence', '[[k]: v, x]', [0], '[k]: v'],
    ['a pair whose key is a mapping', '[{k: l}: v]', [0], '{k: l}: v'],
    ['a pair whose key has an anchor', '[&x [k]: v]', [0], '&x [k]: v'],
    ['a mapping whose only key is empty', '[{? }, x]', [0], '{? }'],
    ['a mapping whose only pair is empty', '[{: }, x]', [0], '{: }'],
    ['a mapping that ends with an empty key', '[{a: b, ? , }, x]', [0], '{a: b, ? , }'],
    ['a mapping that ends with a comment', '[{a # }\n}, x]', [0], '{a # }\n}'],
  ])('%s', (_, text, path, expected) => {
    const { start, end } = readYaml(text).locate(path)
    expect(text.slice(start, end)).toBe(expected)
  })

  test('line ends of Windows move the same characters', () => {
    const windows = text.replaceAll('\n', '\r\n')
    for (const path of [[], ['block'], ['seq', 2], ['seq', 3, 'g'], ['flow'], ['last']]) {
      const unix = readYaml(text).locate(path)
      const { start, end } = readYaml(windows).locate(path)
      expect(windows.slice(start, end).replaceAll('\r\n', '\n')).toBe(
        text.slice(unix.start, unix.end),
      )
    }
  })
})
