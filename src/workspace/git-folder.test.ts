import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readGitFolder } from './git-folder.ts'

const box = mkdtempSync(join(tmpdir(), 'waybill-git-folder-'))
afterAll(() => rmSync(box, { recursive: true }))
const top = join(box, 'top')
const inside = (name: string) => join(box, name)
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    cwd: box,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
git('init', '-q', '-b', 'main', top)
for (const word of ['one', 'two']) git('-C', top, 'commit', '-q', '--allow-empty', '-m', word)

describe('the files of a repository say what Git says', () => {
  test.each<[string, string, ...string[][]]>([
    ['in a folder', 'top'],
    ['before the first commit', 'new', ['init', '-q', '-b', 'work/new', 'new']],
    ['in a linked worktree', 'tree', ['-C', 'top', 'worktree', 'add', '-q', '-b', 'b', '../tree']],
    ['with a detached head', 'off', ['-C', 'top', 'worktree', 'add', '-q', '--detach', '../off']],
    ['in a shallow clone', 'few', ['clone', '-q', '--depth', '1', `file://${top}`, 'few']],
  ])('%s', (_, name, ...before) => {
    for (const args of before) git(...args)
    const ask = (...args: string[]) => {
      try {
        return git('-C', name, ...args)
          .toString()
          .trim()
      } catch {
        return undefined
      }
    }
    expect(readGitFolder(inside(name))).toEqual({
      branch: ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
      shallow: ask('rev-parse', '--is-shallow-repository') === 'true',
      common: ask('rev-parse', '--path-format=absolute', '--git-common-dir'),
    })
  })
})

test.each([
  ['nothing', {}],
  ['no objects', { HEAD: 'ref: refs/heads/main\n' }],
  ['a placeholder for its head', { HEAD: 'ref: refs/heads/.invalid\n', objects: '' }],
  ['a head that is no reference', { HEAD: 'ref: refs/tags/v1\n', objects: '' }],
])('only Git can tell of a folder with %s', (name, files: Readonly<Record<string, string>>) => {
  const folder = join(inside(name.replaceAll(' ', '-')), '.git')
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  expect(readGitFolder(join(folder, '..'))).toBeUndefined()
})
