import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sha256, sha256OfLines } from './digest.ts'
import { openFiles } from './files.ts'

const folder = mkdtempSync(join(tmpdir(), 'waybill-files-'))
const root = join(folder, 'root')
afterAll(() => rmSync(folder, { recursive: true }))
for (const path of [
  'root/src/a.ts',
  'root/src/deep/er/b.test.ts',
  'root/node_modules/x/c.ts',
  'secret.txt',
]) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), 'text')
}
symlinkSync('../secret.txt', join(root, 'out.txt'))
symlinkSync('.', join(root, 'src/round'))
mkdirSync(join(root, '.waybill'))
writeFileSync(join(root, '.waybill/key'), '')
symlinkSync('../.waybill/key', join(root, 'src/key'))
symlinkSync('../.waybill', join(root, 'src/state'))
const files = openFiles(root)

test.each([
  ['src/a.ts', 'file'],
  ['./src//a.ts', 'file'],
  ['src', 'directory'],
  ['src/none.ts', 'missing'],
  ['../secret.txt', 'outside'],
  ['/etc/passwd', 'outside'],
  ['out.txt', 'outside'],
  ['.waybill/key', 'file'],
  ['src/key', 'outside'],
  ['src/state/key', 'outside'],
  ['src/a\0.ts', 'missing'],
  [`${'x/'.repeat(5000)}y`, 'missing'],
] as const)('%j is %s', (path, kind) => expect(files.kindOf(path)).toBe(kind))

describe('a glob', () => {
  test.each([
    ['src/*.ts', true],
    ['**/b.test.ts', true],
    ['src/**', true],
    ['src/{a,z}.ts', true],
    ['src/*.js', false],
    ['../*.txt', false],
    ['out.*', false],
    ['**/c.ts', false],
    ['node_modules/*/c.ts', true],
    [`${'**/'.repeat(60)}none`, false],
    [`${'**/*/'.repeat(40)}none`, false],
  ])('%s matches a file: %j', (glob, matches) => expect(files.matches(glob)).toBe(matches))
})

test('a digest is that of the bytes, and nothing outside is digested', () => {
  expect(files.sha256('src/a.ts')).toBe(
    '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1',
  )
  expect(files.sha256('out.txt')).toBeUndefined()
  expect(files.sha256('src')).toBeUndefined()
})

test.each(['', 'a\r\nb\nc', '\r\r\n\n\r', `${'x'.repeat(70_000)}\n${'\r\n'.repeat(70_000)}`])(
  'a text is hashed with other line ends as if it were written with them',
  text => {
    const lines = text.replaceAll('\r\n', '\n')
    expect(sha256OfLines(Buffer.from(text), 'LF')).toBe(sha256(lines))
    expect(sha256OfLines(Buffer.from(text), 'CRLF')).toBe(sha256(lines.replaceAll('\n', '\r\n')))
  },
)

test('the lines of a large file are hashed without making texts of them', () => {
  const bytes = Buffer.alloc(2 ** 25, '\n')
  const before = process.memoryUsage().rss
  sha256OfLines(bytes, 'CRLF')
  expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 24)
})
