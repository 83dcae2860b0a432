import { describe, expect, test } from 'vitest'
import { decode, formatOf, readDocuments } from './index.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const block = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`

describe('bytes become text', () => {
  test('one leading byte order mark is dropped', () => {
    expect(decode(bytes('\uFEFF{}'))).toEqual({ text: '{}', faults: [] })
  })

  test('invalid UTF-8 is a fault at the first bad byte', () => {
    const { faults } = decode(new Uint8Array([0x61, 0xff, 0x62]))
    expect(faults).toEqual([
      expect.objectContaining({ code: 'syntax/encoding', span: { start: 1, end: 2 } }),
    ])
  })

  test('binary data is called by its name', () => {
    expect(decode(new Uint8Array([0, 0xff])).faults[0]?.message).toContain('binary')
  })

  test.each([
    ['little-endian with a mark', '\uFEFF{"a": 1}', false],
    ['big-endian with a mark', '\uFEFF{"a": 1}', true],
    ['little-endian without a mark', '{"a": 1}', false],
    ['big-endian without a mark', '{"a": 1}', true],
  ])('UTF-32, %s, is a fault, and read for what it tries to be', async (_, text, swapped) => {
    const saved = Buffer.alloc(text.length * 4)
    for (const [i, letter] of [...text].entries()) {
      const point = letter.codePointAt(0) ?? 0
      if (swapped) saved.writeUInt32BE(point, i * 4)
      else saved.writeUInt32LE(point, i * 4)
    }
    expect(decode(saved)).toMatchObject({
      text: '{"a": 1}',
      faults: [{ code: 'syntax/encoding', message: 'this is UTF-32, not UTF-8' }],
    })
  })

  test.each([
    ['little-endian with a mark', '\uFEFF{"a": 1}', false],
    ['big-endian with a mark', '\uFEFF{"a": 1}', true],
    ['little-endian without a mark', '{"a": 1}', false],
    ['big-endian without a mark', '{"a": 1}', true],
  ])('UTF-16, %s, is a fault, and read for what it tries to be', async (_, text, swapped) => {
    const saved = Buffer.from(text, 'utf16le')
    const read = decode(swapped ? saved.swap16() : saved)
    expect(read).toMatchObject({
      text: '{"a": 1}',
      faults: [{ code: 'syntax/encoding', message: 'this is UTF-16, not UTF-8' }],
    })
    const { documents } = await readDocuments(read.text, 'json', read.faults)
    expect(documents[0]?.value).toEqual({ a: null })
  })

  test('more than 8 MiB is refused without being read', () => {
    const { text, faults } = decode(new Uint8Array(9 * 1024 * 1024).fill(0x20))
    expect(faults.map(f => f.code)).toEqual(['syntax/too-large'])
    expect(text.length).toBeLessThanOrEqual(65_536)
  })
})

test.each([
  ['a.json', '', 'json'],
  ['a.yml', '', 'yaml'],
  ['a.MD', '', 'markdown'],
  ['', ' {"a": 1}', 'json'],
  ['', '---\na: 1\n---\n# b\n', 'markdown'],
  ['', '---\na: 1\n', 'yaml'],
  ['-', '# Title\n', 'markdown'],
] as const)('a file named %j that begins with %j is %s', (name, text, format) => {
  expect(formatOf(name, text)).toBe(format)
})

test.each([
  ['-', '# a comment\na: 1\n', ['yaml', 'json'], 'yaml'],
  ['-', '# a comment\n{"a": 1}\n', ['json', 'yaml'], 'yaml'],
  ['-', '# a comment\na: |\n  ```yaml\n  b\n  ```\n', ['yaml', 'json'], 'yaml'],
  ['-', '# Title\n\n```yaml\na: 1\n```\n', ['yaml', 'json'], 'markdown'],
  ['-', '{"a": 1}', ['yaml', 'json'], 'json'],
  ['-', 'words', ['markdown'], 'markdown'],
  ['-', '[words](a.md)', ['markdown'], 'markdown'],
  ['a.md', 'a: 1', ['yaml', 'json'], 'markdown'],
] as const)(
  'a file named %j with %j that can be one of %j is %s',
  (name, text, possible, format) => {
    expect(formatOf(name, text, possible)).toBe(format)
  },
)

describe('fenced blocks are documents of their own', () => {
  test('each JSON or YAML block, with the line of its fence and its place in the file', async () => {
    const text = `# A\n\n${block('json', '{"a": 1}')}\n- item\n  ${block('yaml', '  b: two').trimEnd().replace('\n```', '\n  ```')}\n${block('ts', 'c')}`
    const { documents } = await readDocuments(text, 'markdown')
    const [, json, yaml, ...rest] = documents
    expect(rest).toEqual([])
    expect([json?.value, json?.line]).toEqual([{ a: 1 }, 3])
    expect([yaml?.value, yaml?.line]).toEqual([{ b: 'two' }, 8])
    const span = yaml?.locate(['b']) ?? { start: 0, end: 0 }
    expect(yaml?.range(span)).toEqual({
      start: { line: 8, character: 5 },
      end: { line: 8, character: 8 },
    })
  })

  test('a waybill-ignore comment passes over the next block only, and is counted', async () => {
    const text = `<!-- waybill-ignore -->\n${block('json', '{"a": 1}')}\n${block('json', '{"b": 1}')}`
    const { documents, ignored } = await readDocuments(text, 'markdown')
    expect(documents.slice(1).map(d => d.value)).toEqual([{ b: 1 }])
    expect(ignored).toBe(1)
  })
})

test.each(['json', 'yaml', 'markdown'] as const)(
  'the marks of an unfinished merge in %s are one fault',
  async format => {
    const text = 'a: 1\n<<<<<<< ours\nb: 1\n=======\nb: 2\n>>>>>>> theirs\n'
    const { documents } = await readDocuments(text, format)
    expect(documents.flatMap(d => d.faults.map(f => f.code))).toEqual(['syntax/merge-conflict'])
  },
)

test('frontmatter that is never closed is a fault', async () => {
  const { documents } = await readDocuments('---\na: 1\n\n## B\n', 'markdown')
  expect(documents[0]?.faults.map(f => f.code)).toEqual(['syntax/frontmatter-open'])
})

test('a Markdown text is its frontmatter and its sections, each with its place', async () => {
  const text = '---\r\na: 1\r\n---\r\n\r\n## One\r\nbody\r\n'
  const { documents } = await readDocuments(text, 'markdown')
  const [whole] = documents
  expect(whole?.value).toEqual({
    frontmatter: { a: 1 },
    sections: [{ title: 'One', level: 2, body: 'body\r\n' }],
  })
  expect(whole?.range(whole.locate(['frontmatter', 'a'], 'key')).start).toEqual({
    line: 1,
    character: 0,
  })
  expect(whole?.range(whole.locate(['sections', 0])).start).toEqual({ line: 4, character: 0 })
})
