import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatStatement, parseStatement, STATEMENT_TYPE, type Statement } from './statement.ts'

const statement: Statement = {
  _type: STATEMENT_TYPE,
  subject: [{ name: 'handoff', digest: { sha256: 'ab'.repeat(32) } }],
  predicateType: 'urn:example:predicate:v1',
  predicate: { accepted: true },
}
const bytes = (text: string) => new TextEncoder().encode(text)
const text =
  `{"_type":"${STATEMENT_TYPE}","predicate":{"accepted":true},"predicateType":"urn:example:predicate:v1",` +
  `"subject":[{"digest":{"sha256":"${'ab'.repeat(32)}"},"name":"handoff"}]}`

test('a statement is written as canonical JSON, and read again', () => {
  expect(formatStatement(statement)).toEqual(bytes(text))
  expect(parseStatement(bytes(text))).toEqual(statement)
})

test.each([
  ['nothing', ''],
  ['no object', '[]'],
  ['a byte order mark', `\ufeff${text}`],
  ['white space', text.replace(':', ': ')],
  ['a duplicate key', text.replace('{"accepted":true}', '{"accepted":true,"accepted":true}')],
  ['an unknown key', text.replace('{"_type"', '{"ZZZ":1,"_type"')],
  ['another version', text.replace('Statement/v1', 'Statement/v0.1')],
  ['no subject', text.replace(/\[.*\]/, '[]')],
  ['a subject without a name', text.replace('"name":"handoff"', '"name":""')],
  ['a subject with another key', text.replace('"name":"handoff"', '"name":"handoff","uri":"a"')],
  ['a digest in capitals', text.replace('abab', 'ABAB')],
  ['a digest too short', text.replace('abab', '')],
  ['another digest', text.replace('"sha256"', '"sha512"')],
  ['a second digest', text.replace('{"sha256"', '{"md5":"a","sha256"')],
  ['no type of the predicate', text.replace('urn:example:predicate:v1', '')],
  ['a predicate that is no object', text.replace('{"accepted":true}', '[]')],
  ['an integer that readers round differently', text.replace('true', '9007199254740993')],
])('%s is refused', (_, changed) => {
  expect(changed).not.toBe(text)
  expect(parseStatement(bytes(changed))).toEqual({ fault: expect.stringMatching(/statement/) })
})

test('bytes that are no UTF-8 are refused', () => {
  const changed = bytes(text)
  changed[10] = 0xff
  expect(parseStatement(changed)).toEqual({ fault: 'the statement is not UTF-8' })
})

test.each([
  ['a predicate that is no JSON', { ...statement, predicate: { at: new Date(0) } }],
  ['no subject', { ...statement, subject: [] }],
  ['a digest that is none', { ...statement, subject: [{ name: 'a', digest: { sha256: 'a' } }] }],
])('%s is not written', (_, changed) => {
  expect(formatStatement(changed)).toHaveProperty('fault')
})

const digest = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map(value => ({ sha256: Buffer.from(value).toString('hex') }))
const name = fc.string({ unit: 'binary', minLength: 1 })

test('what is written is read again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ name, digest }), { minLength: 1 }),
      name,
      fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })),
      (subject, predicateType, predicate) => {
        const written = formatStatement({ subject, predicateType, predicate })
        const read = written instanceof Uint8Array ? parseStatement(written) : written
        expect(read).toMatchObject({ subject, predicateType })
        expect('fault' in read || formatStatement(read)).toEqual(written)
      },
    ),
  )
})

test('no bytes make the reader throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(bytes)), any => {
      parseStatement(any)
    }),
  )
})
