import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestFolder } from '../../../test/test-folder.ts'
import { ContentReader, readLines, replaceLine, writeLines } from './content.ts'
import { DurableFiles } from './durable.ts'
import { LONGEST_LINE, lineEnd } from './lines.ts'
import { contentPath } from './paths.ts'
import { fill } from './regular.ts'

const home = openTestFolder()
const files = new DurableFiles(join(home.root, 'tmp'))
beforeAll(() => {
  files.makeFolder(join(home.root, 'tmp'))
  mkdirSync(dirname(contentPath(home.root, 0)), { recursive: true })
})
afterAll(() => home.remove())

test('contents that are longer together than a text can be are read, and a line that no text can hold is reported', () => {
  // Zeros that take no room on the disk.
  const descriptor = openSync(contentPath(home.root, 0), 'w')
  ftruncateSync(descriptor, LONGEST_LINE + 100)
  writeSync(descriptor, 'first\n', 0)
  writeSync(descriptor, '\nthird\nunfinished', LONGEST_LINE + 50)
  closeSync(descriptor)
  const reader = new ContentReader(home.root)
  expect(reader.read(0)).toBe('first')
  expect(reader.read(2)).toBe('third')
  expect(() => reader.read(1)).toThrow(
    expect.objectContaining({
      code: 'input-output',
      message: expect.stringMatching(/^a line of .*000 has 536870932 bytes$/),
      hint: expect.stringContaining('find out who did'),
    }),
  )
  expect(() => reader.read(3)).toThrow('lacks the content of entry 3')
})

test('lines are written on behind the last one that counts', () => {
  writeFileSync(contentPath(home.root, 2), 'first\nsecond\nnever published\nunfin')
  writeLines(files, home.root, 2, 2, [Buffer.from('third'), Buffer.from('fourth')])
  const lines = readLines(home.root, 2)
  expect([1, 2, 3, 4].map(index => lines.at(index))).toEqual([
    ...['second', 'third', 'fourth'],
    undefined,
  ])
})

test.each([
  [0, 'new\nsécond\n\nfourth\n'],
  [1, 'first\nnew\n\nfourth\n'],
  [2, 'first\nsécond\nnew\nfourth\n'],
  [3, 'first\nsécond\n\nnew\n'],
])('line %i is replaced, the others stay, and what was never finished goes', (index, text) => {
  const file = contentPath(home.root, 1)
  writeFileSync(file, 'first\nsécond\n\nfourth\nunfin')
  replaceLine(files, home.root, 256 + index, 'new')
  const lines = readLines(home.root, 1)
  expect([0, 1, 2, 3].map(at => `${lines.at(at)}\n`).join('')).toBe(text)
  expect(lines.at(4)).toBeUndefined()
  expect(() => replaceLine(files, home.root, 260, 'x')).toThrow('lacks the content of entry 260')
})

test('what is larger than Node looks through or reads at a time is taken in pieces', () => {
  const bytes = Buffer.from('aaaa\nbb\n\ncccccccc')
  for (let farthest = 1; farthest < 20; farthest++) {
    const ends = [0, 5, 8, 9].map(at => lineEnd(bytes, at, farthest))
    expect(ends).toEqual([4, 7, 8, -1])
  }
  const file = join(home.root, 'pieces')
  writeFileSync(file, bytes)
  const descriptor = openSync(file, 'r')
  const memory = Buffer.alloc(40)
  expect(fill(descriptor, memory, 3)).toBe(bytes.length)
  expect(memory.subarray(0, bytes.length)).toEqual(bytes)
  closeSync(descriptor)
})
