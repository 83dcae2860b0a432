import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asPlainUser } from '../../test/plain-user.ts'
import { openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'

let box: TestFolder
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
    cwd: box.root,
  })
const close = (path: string, mode = 0) => chmodSync(join(box.root, path), mode)

beforeEach(() => {
  box = openTestFolder()
  git('init', '-q')
  box.write('open.json', SOUND)
  box.write('closed.json', SOUND)
  box.write('folder/a.json', SOUND)
  close('closed.json')
  close('folder')
})
afterEach(() => {
  close('folder', 0o700)
  box.remove()
})

/** The codes of each document that a check tells of, and its exit code. */
function checked(...args: readonly string[]) {
  const { status, stdout } = asPlainUser(box.root, 'check', '--format', 'json', ...args)
  const documents: { path: string; diagnostics: { code: string }[] }[] =
    JSON.parse(stdout).documents
  const codes = documents.map(d => [d.path, ...d.diagnostics.map(({ code }) => code)])
  return { status, codes }
}

const DENIED = 'document/unreadable'
const FILE = ['closed.json', DENIED]
const FOLDER = ['folder', DENIED]
const INSIDE = ['folder/a.json', DENIED]

describe('what may not be read is an error of its own', () => {
  test.each([
    { how: 'on a walk', args: [], codes: [FILE, FOLDER, ['open.json']] },
    { how: 'named', args: ['closed.json', 'folder'], codes: [FILE, FOLDER] },
    { how: 'in a folder', args: ['folder/a.json'], codes: [INSIDE] },
    { how: 'new', args: ['--changed'], codes: [FILE, FOLDER, ['open.json']] },
    {
      how: 'new and named',
      args: ['--changed', 'HEAD', 'folder', '.', 'closed.json'],
      codes: [FILE, FOLDER, ['open.json']],
    },
    { how: 'new in a folder', args: ['--changed', 'HEAD', 'folder/a.json'], codes: [INSIDE] },
  ])('$how: $args', ({ args, codes }) => expect(checked(...args)).toEqual({ status: 1, codes }))

  test('where Git keeps it, and would take it for deleted', () => {
    close('folder', 0o700)
    close('closed.json', 0o600)
    git('add', '.')
    git('commit', '-qm', 'one')
    expect(checked('--changed')).toEqual({ status: 0, codes: [] })
    close('folder')
    expect(checked('--changed')).toEqual({ status: 1, codes: [FOLDER] })
    expect(checked('--changed', 'HEAD', 'open.json')).toEqual({ status: 0, codes: [] })
    expect(checked('--changed', 'HEAD', 'folder/a.json')).toEqual({ status: 1, codes: [INSIDE] })
  })
})

test.each(['closed.json', 'folder/a.json'])('show says of %s why it cannot be shown', path => {
  const { status, stdout } = asPlainUser(box.root, 'show', path)
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: expect.stringContaining('permission is denied'),
  })
})

test('doctor counts what may not be read, and warns', () => {
  const { stdout } = asPlainUser(box.root, 'doctor', '--format', 'json')
  const items: { name: string }[] = JSON.parse(stdout).items
  expect(items.find(({ name }) => name === 'documents')).toMatchObject({
    status: 'warning',
    message: '1 session-context in 3 files, of which 2 cannot be read',
  })
})
