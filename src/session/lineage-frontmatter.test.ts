import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decode, readDocuments } from '../document/index.ts'
import { readFrontmatter, readLines } from './lineage-frontmatter.ts'

const value = fc.oneof(
  fc.constantFrom(
    ...['', ' ', 'null', 'True', '~', '1', '1.5', '.5', '0x1f', '1e3', '.inf', '- a', '[a]', '{}'],
    ...['2026-02-11T14:30:00Z', '2026-02-11', '"2026-02-11T14:30:00Z"', "'it''s'", '"a\\nb"', 'y'],
    ...['./a.md', '../a.md', 'a: b', 'a:', 'a #b', '# b', '&a b', '*a', '!!str a', '|', '@a', 'e1'],
    ...['2026-02-11T10-00-00Z-a.md', 'handoffs/2026-02-11T10-00-00Z-a.md', 'a  b', 'a ', 'é'],
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'aA1-_./: \'"#tT\t'), maxLength: 12 }),
)
/** Mostly the first, so that most lines are ones that could be simple. */
const mostly = <T>(first: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(first) }, fc.constantFrom(...others))
const line = fc
  .tuple(
    fc.constantFrom('mode', 'branch', 'timestamp', 'a', 'b', 'c'),
    mostly('', '__proto__', 'null', ' ', '- ', '"', 'e1'),
    mostly(': ', ':', ':  ', ' : ', ''),
    value,
    mostly('\n', '\r\n', ' \n', '\n\n', '\r', ''),
  )
  .map(([key, odd, ...rest]) => [odd || key, ...rest].join(''))
const frontmatter = fc.array(line, { minLength: 1, maxLength: 4 }).map(lines => lines.join(''))

test('what is read line by line is what the reader of YAML makes of it', async () => {
  let simple = 0
  await fc.assert(
    fc.asyncProperty(frontmatter, async text => {
      const lines = readLines(text)
      if (!lines) return
      simple++
      const [document] = (await readDocuments(text, 'yaml')).documents
      expect(document?.faults).toEqual([])
      expect(lines).toEqual(document?.value)
    }),
    { numRuns: 20_000 },
  )
  expect(simple).toBeGreaterThan(500)
})

test.each([
  ['mode: CREATE\nsession_id:\n', { mode: 'CREATE', session_id: null }],
  ['timestamp: "2026-02-11T14:30:00Z"\r\n', { timestamp: '2026-02-11T14:30:00Z' }],
  ["continues_from: './a b.md'", { continues_from: './a b.md' }],
  ['timestamp: 2026-02-11T14:30:00Z\n', { timestamp: '2026-02-11T14:30:00Z' }],
  [
    'continues_from: ../handoffs/2026-02-10T09-00-00Z-a.md\n',
    { continues_from: '../handoffs/2026-02-10T09-00-00Z-a.md' },
  ],
])('%j takes the short way', (text, value) => {
  expect(readLines(text)).toEqual(value)
})

test('what says more than lines of text is read all the same, and a fault is reported', async () => {
  const read = (text: string) => readFrontmatter(decode(Buffer.from(text)))
  expect(await read('a: |\n  b\n')).toEqual({ value: { a: 'b\n' } })
  expect(await read('session_id: 12\n')).toEqual({ value: { session_id: 12 } })
  expect((await read('a: b\na: c\n')).fault).toContain("the key 'a' already exists")
  expect((await read('a: [b\n')).fault).toBeDefined()
})
