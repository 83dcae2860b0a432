import { expect, test } from 'vitest'
import type { Files } from '../contract/index.ts'
import { check as checkText } from '../index.ts'
import { pathIn } from './handoff-evidence.ts'

const FILES: Files = {
  kindOf: path => (path === 'src/main.go' ? 'file' : 'missing'),
  matches: () => false,
  sha256: () => undefined,
}

async function check(evidence: string, files: object = {}) {
  const text = `## Evidence / Artifacts\n\n- \`${evidence}\`\n`
  const facts = { files: { value: { ...FILES, ...files } } }
  const options = { path: 'a.md', contract: 'handoff-document', facts }
  const { documents } = await checkText(text, options)
  return documents.flatMap(({ diagnostics }) =>
    diagnostics.filter(({ code }) => /referenced-files-exist|rule-failed/.test(code)),
  )
}

test.each<[string, object, string]>([
  ['src/a.ts', { kindOf: async () => 'missing' }, 'a promise for a kind'],
  ['src/a.ts', { kindOf: () => undefined }, 'no kind'],
  ['src/a.ts', { kindOf: () => false }, 'a boolean for a kind'],
  ['src/a.ts', { kindOf: () => 'symlink' }, 'an unknown kind'],
  ['src/*.ts', { matches: async () => false }, 'a promise for a match'],
  ['src/*.ts', { matches: () => 1 }, 'a number for a match'],
])('of %s, a supplier that answers %o proves nothing: %s', async (evidence, files, _) => {
  expect(await check(evidence, files)).toMatchObject([
    { code: 'internal/rule-failed', severity: 'error' },
  ])
})

test.each([
  ['src/main.go:12-40', "name one line, not several: write 'src/main.go:12'"],
  ['src/main.go#L12-L20', "name one line, not several: write 'src/main.go#L12'"],
  ['src/gone.go:12-40', 'correct the path'],
])('of %s, which is no path that exists, the hint is: %s', async (evidence, hint) => {
  const [finding] = await check(evidence)
  expect(finding).toMatchObject({
    code: 'handoff-document/referenced-files-exist',
    hint: expect.stringContaining(hint),
  })
})

test('a file whose name has the same letters in another normal form is pointed out', async () => {
  const nfd = 'docs/café.md'.normalize('NFD')
  const there = new Set(['docs', 'docs/', nfd, `${nfd}/`])
  const kindOf = (path: string) => (there.has(path) ? 'file' : 'missing')
  const [finding] = await check('docs/café.md'.normalize('NFC'), { kindOf })
  expect(finding?.message).toContain('in another Unicode normal form (NFD)')
  expect((await check('docs/cafe.md', { kindOf }))[0]?.message).toMatch(/does not exist$/)
})

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['src/', 'src/'],
  ['README.md', 'README.md'],
  ['.gitignore', '.gitignore'],
  ['logs.7z', 'logs.7z'],
  ['backup2.7z:1', 'backup2.7z'],
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
  ['is a version of what is not released', '3.9rc1'],
  ['is a version with a letter', 'v1.7z1'],
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
