import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearest } from '../src/contract/index.ts'
import { decode, readDocuments } from '../src/document/index.ts'
import { hasPython, NEEDS, python, runPython } from './python.ts'

describe.skipIf(!hasPython)(`the Python layer and the product${NEEDS}`, () => {
  test('refuses the same texts as the product, by the same codes', async () => {
    const script = `import base64, json, sys
from waybill_contracts import Unreadable, load
def codes(text):
    try: load(base64.b64decode(text))
    except Unreadable as error: return sorted({finding.code for finding in error.findings})
    return []
print(json.dumps([codes(text) for text in json.load(sys.stdin)]))`
    const input = JSON.stringify(TEXTS.map(text => Buffer.from(text).toString('base64')))
    const { output } = runPython(['-c', script], python, input)
    const found = JSON.parse(output) as string[][]
    for (const [i, bytes] of TEXTS.entries())
      expect(found[i], String(bytes).slice(0, 80)).toEqual(await codesOf(bytes))
  })

  test('takes the same word for the one that was meant', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcAB_- .é𝒳İß'), maxLength: 70 })
    const short = fc.string({ unit: fc.constantFrom(...'abcA_'), maxLength: 8 })
    const word = fc.oneof(short, letters)
    const cases = fc.sample(fc.tuple(word, fc.array(word, { maxLength: 6 })), {
      numRuns: 2000,
      seed: 1,
    })
    const script = `import json, sys
from waybill_contracts.nearest import nearest
print(json.dumps([nearest(*case) for case in json.load(sys.stdin)]))`
    const { output } = runPython(['-c', script], python, JSON.stringify(cases))
    const meant = cases.map(([given, known]) => nearest(given, known) ?? null)
    expect(JSON.parse(output)).toEqual(meant)
    expect(new Set(meant.map(found => found === null)).size).toBe(2)
  })
})

async function codesOf(bytes: Buffer): Promise<string[]> {
  const { text, faults } = decode(bytes)
  const { documents } = await readDocuments(text, 'json', faults)
  return [...new Set(documents[0]?.faults.map(fault => fault.code))].sort()
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

/** Texts on which parsers differ. */
const TEXTS: readonly Buffer[] = [
  ...[
    '',
    ' \n',
    '\ufeff',
    '\u00a0',
    '\u0085',
    '\u001c',
    '\ufeff\ufeff1',
    '1',
    '"a"',
    'null',
    'nul',
    '{',
    '}',
    '[1,]',
    '{"a":1,}',
  ],
  ...[
    '{"a":1,"a":1}',
    '{"a":{"b":1,"b":2}}',
    '{"a":1,"\\u0061":2}',
    '[{"a":1},{"a":1}]',
    '{"":1,"":2}',
    '{"__proto__":1}',
  ],
  ...[
    '{"__proto__":1,"__proto__":2}',
    '{"\\ud83d\\ude00":1,"😀":2}',
    '{"a":1,"a":9007199254740993,"b":"\\ud800"}',
  ],
  ...[
    'NaN',
    '[Infinity]',
    '[-Infinity]',
    '+1',
    '01',
    '-',
    '-0',
    '-0.0',
    '1.',
    '.5',
    '1e',
    '0x1',
    '1_000',
    '１',
  ],
  ...[
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740991',
    '-9007199254740992',
  ],
  ...[
    '9007199254740993.0',
    '9007199254740993e0',
    '1e20',
    '1e308',
    '1e309',
    '-1e400',
    '1e-400',
    '1'.repeat(400),
    '1'.repeat(5000),
  ],
  ...[
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\ud83d\\ude00"',
    '{"\\ud800":1}',
    '"\\u12"',
    '"\\u12G4"',
    '"\\u+123"',
    '"\\x41"',
    "'a'",
    '"a',
  ],
  ...[
    '"a\nb"',
    '"a\tb"',
    '"\u007f"',
    '"\u2028"',
    '"\u0000"',
    '1 2',
    '[1 2]',
    '{"a" 1}',
    '{1:2}',
    '// a\n1',
    '/* a */ 1',
    '1\u00a0',
  ],
  ...[
    nested(100),
    nested(101),
    `"${nested(200)}"`,
    `{"a":${nested(99)}}`,
    `{"a":${nested(100)}}`,
    `["\\"${nested(101)}"]`,
  ],
  ...[
    '"<<<<<<< "',
    '<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n',
    '{"a":"\n<<<<<<< a\n>>>>>>> b"}',
    '1\r<<<<<<< a\r>>>>>>> b',
  ],
]
  .map(text => Buffer.from(text))
  .concat(
    [
      [0xff],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xef, 0xbb, 0xbf, 0x31],
      [0xfe, 0xff, 0, 0x31],
      [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22],
      [0],
    ].map(bytes => Buffer.from(bytes)),
    Buffer.alloc(8 * 1024 * 1024 + 1, ' '),
    Buffer.concat([Buffer.from('1'), Buffer.alloc(8 * 1024 * 1024 - 1, ' ')]),
  )
