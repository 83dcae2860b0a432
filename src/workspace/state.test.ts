import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { git } from './git.ts'
import { realPath } from './root.ts'
import { rootOfWorktree, worktreeOf } from './state.ts'

let folder: TestFolder
let main: string
let beside: string
beforeAll(() => {
  folder = openTestFolder()
  main = join(realPath(folder.root), 'main')
  beside = join(realPath(folder.root), 'beside')
  git(folder.root, ['init', '--quiet', 'main'])
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  git(main, [...author, 'commit', '--quiet', '--allow-empty', '--message', 'first'])
  git(main, ['worktree', 'add', '--quiet', '../beside'])
})
afterAll(() => folder.remove())

test('a worktree is found by how it lies from the first one, from each of them', () => {
  expect([worktreeOf(main), worktreeOf(beside)]).toEqual(['', '../beside'])
  for (const root of [main, beside]) {
    expect(rootOfWorktree('', root)).toBe(main)
    expect(rootOfWorktree(undefined, root)).toBe(root)
    expect(rootOfWorktree('../beside', root)).toBe(beside)
  }
})

test('a worktree is found from a root that somebody names by a link', () => {
  const link = join(folder.root, 'link')
  symlinkSync(main, link)
  expect([worktreeOf(link), rootOfWorktree('', link)]).toEqual(['', link])
  expect(rootOfWorktree('../beside', link)).toBe(beside)
})

test.each(['..', '../..', '../gone', '/', '../beside/.', 'within', 'a'.repeat(300)])(
  'what is no worktree of the repository is not found as one: %s',
  other => {
    expect(rootOfWorktree(other, main)).toBeUndefined()
  },
)
