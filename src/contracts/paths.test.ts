import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalPath, whyNotRelative } from './paths.ts'

test.each([
  ['/etc/passwd', 'is absolute'],
  ['\\Users\\me\\a.md', 'is absolute'],
  ['//server/share/a.md', 'is a network share'],
  ['\\\\server\\share\\a.md', 'is a network share'],
  ['\\\\?\\C:\\a.md', 'is a network share'],
  ['~', 'begins with a home folder'],
  ['~me/a.md', 'begins with a home folder'],
  ['C:\\a.md', 'begins with a drive letter'],
  ['c:/a.md', 'begins with a drive letter'],
  ['C:a.md', 'begins with a drive letter'],
  ['https://example.org/a.md', 'is a URL'],
  ['HTTPS:\\\\example.org\\a.md', 'is a URL'],
  ['file:a.md', 'is a URL'],
  ['http:example.org/a.md', 'is a URL'],
  ['git@example.org:team/a.git', 'is a URL'],
  [' /etc/passwd', 'is absolute'],
  ['$HOME/a.md', 'begins with a home folder'],
  ['%USERPROFILE%\\a.md', 'begins with a home folder'],
  ['..', 'is outside the repository'],
  ['docs/../../a.md', 'is outside the repository'],
  ['docs\\..\\..\\a.md', 'is outside the repository'],
])('%s is refused: it %s', (path, fault) => {
  expect(whyNotRelative(path)).toBe(fault)
})

test.each([
  'a.md',
  './a.md',
  'docs/../a.md',
  'docs\\a.md',
  '..a/b',
  'a..b',
  '.github/x.yml',
  'notes:2026.md',
  'a~b',
  '$HOMES/a.md',
  'packages/@scope/a.md',
])('%s is relative', path => {
  expect(whyNotRelative(path)).toBeUndefined()
})

test.each([
  ['./docs//a.md', 'docs/a.md'],
  ['docs\\x\\..\\a.md', 'docs/a.md'],
  ['docs/a.md/', 'docs/a.md'],
  ['../a.md', undefined],
])('%s is the same place as %s', (path, normal) => {
  expect(normalPath(path)).toBe(normal)
})

test('a path that looks plain is judged as it is behind a dot and a slash, where nothing looks plain', () => {
  const part = fc.constantFrom(
    'a',
    'B-1',
    '_',
    'x.md',
    '.',
    '..',
    '...',
    '~',
    'c:',
    'é',
    '',
    '\\',
    '\n',
  )
  const path = fc.array(part, { minLength: 1, maxLength: 6 }).map(parts => parts.join('/'))
  const relative = path.filter(path => /^[aBx_.]/.test(path))
  fc.assert(
    fc.property(relative, path => {
      expect(whyNotRelative(path)).toBe(whyNotRelative(`./${path}`))
    }),
  )
})
