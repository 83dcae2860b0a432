import { expect, test } from 'vitest'
import { pathIn } from './evidence.ts'

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['src/', 'src/'],
  ['README.md', 'README.md'],
  ['.gitignore', '.gitignore'],
  ['a.ts:12', 'a.ts'],
  ['src/a.ts:12:3', 'src/a.ts'],
  ['src/a.ts#L12', 'src/a.ts'],
  ['docs/*.md', 'docs/*.md'],
  ['src\\a.ts', 'src\\a.ts'],
  ['C:\\a.ts', 'C:\\a.ts'],
  ['/etc/hosts', '/etc/hosts'],
  ['../a', '../a'],
])('%s names the path %s', (code, path) => {
  expect(pathIn(code)).toBe(path)
})

test.each([
  ['holds white space', 'cat src/a.ts'],
  ['holds a no-break space', 'src/a\u00a0b.ts'],
  ['is an address', 'https://example.org/a.md'],
  ['is a mail address', 'mailto:a@example.org'],
  ['begins with a hyphen', '--out=a/b.md'],
  ['begins with a dollar sign', '$HOME/a.md'],
  ['is a version', 'v1.2'],
  ['is a number', '3.13'],
  ['is a call', 'a.b()'],
  ['is a word', 'main'],
  ['ends with a dot', 'etc.'],
  ['is dots', '...'],
  ['is a host with a port', 'localhost:8080'],
  ['is a range of commits', 'v1.2..HEAD'],
  ['is a range of commits with three dots', 'main...topic'],
])('what %s is no path', (_, code) => {
  expect(pathIn(code)).toBeUndefined()
})
