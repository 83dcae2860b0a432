import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { openFiles } from '../../workspace/index.ts'
import { handoffFolder, handoffName, referenceTo, slugOf } from './handoff-place.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

test.each([
  ['Schema Draft', 'schema-draft'],
  ['  Überprüfung: çä & 42!  ', 'uberprufung-ca-42'],
  ['../../etc/passwd', 'etc-passwd'],
  ['日本', ''],
  ['a'.repeat(80), 'a'.repeat(48)],
  [
    'one two three four five six seven eight nine ten eleven',
    'one-two-three-four-five-six-seven-eight-nine-ten',
  ],
])('%j is about %j', (words, slug) => {
  expect(slugOf(words)).toBe(slug)
})

test('a name is the time to the second, and what it is about', () => {
  const time = Date.UTC(2026, 1, 11, 14, 30, 0, 999)
  expect(handoffName(time, 'schema')).toBe('2026-02-11T14-30-00Z-schema.md')
  expect(handoffName(time, '')).toBe('2026-02-11T14-30-00Z-handoff.md')
})

describe('the folder of a handoff', () => {
  const of = (adr?: string, predecessor?: string) =>
    handoffFolder(folder.root, adr, predecessor, undefined)

  test('is at the root where nothing is known', () => {
    expect(of('ADR-0.0.25')).toBe('handoffs')
  })

  test('is where the predecessor stands', () => {
    expect(of('ADR-0.0.25', 'docs/handoffs/a.md')).toBe('docs/handoffs')
  })

  test('is in the package of the decision record before anything else', () => {
    folder.write('docs/adr-0.0.x/ADR-0.0.25-handoffs/ADR.md', '')
    folder.write('docs/adr-0.0.x/ADR-0.0.251-other/ADR.md', '')
    expect(of('ADR-0.0.25', 'handoffs/a.md')).toBe('docs/adr-0.0.x/ADR-0.0.25-handoffs/handoffs')
  })

  test('is in the package that has handoffs already', () => {
    folder.write('ADR-0.0.25/ADR.md', '')
    folder.write('docs/adr-0.0.25-x/handoffs/a.md', '')
    expect(of('ADR-0.0.25')).toBe('docs/adr-0.0.25-x/handoffs')
  })

  test('is not in a package that .gitignore hides', () => {
    folder.write('.gitignore', 'old/\n')
    folder.write('old/ADR-0.0.25/ADR.md', '')
    expect(of('ADR-0.0.25')).toBe('handoffs')
  })
})

test.each([
  ['handoffs/a.md', 'handoffs/b.md', 'handoffs/a.md'],
  ['docs/adr/handoffs/a.md', 'docs/adr/handoffs/b.md', 'handoffs/a.md'],
  ['docs/x/handoffs/a.md', 'docs/adr/handoffs/b.md', '../x/handoffs/a.md'],
  ['notes/a.md', 'notes/b.md', 'notes/a.md'],
])('%s is named by %s as %s', (predecessor, path, reference) => {
  folder.write(predecessor, '')
  mkdirSync(join(folder.root, path, '..'), { recursive: true })
  expect(referenceTo(predecessor, path, openFiles(folder.root))).toBe(reference)
})

test('a reference never leads to another file that is found first', () => {
  folder.write('handoffs/a.md', '')
  folder.write('docs/handoffs/a.md', '')
  const files = openFiles(folder.root)
  expect(referenceTo('handoffs/a.md', 'docs/handoffs/b.md', files)).toBe('../handoffs/a.md')
})
