import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { git } from './git.ts'
import { realPath } from './root.ts'
import { rootOfWorktree, worktreeOf } from './state.ts'

let folder: TestFolder
let main: string
let second: string
beforeAll(() => {
  folder = openTestFolder()
  main = join(realPath(folder.root), 'main')
  second = join(realPath(folder.root), 'second')
  git(folder.root, ['init', '--quiet', 'main'])
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  git(main, [...author, 'commit', '--quiet', '--allow-empty', '--message', 'first'])
  git(main, ['worktree', 'add', '--quiet', '../second'])
})
afterAll(() => folder.remove())

test('a worktree is found by how it lies from the first one, from each of them', () => {
  expect([worktreeOf(main), worktreeOf(second)]).toEqual(['', '../second'])
  for (const root of [main, second]) {
    expect(rootOfWorktree('', root)).toBe(main)
    expect(rootOfWorktree(undefined, root)).toBe(root)
    expect(rootOfWorktree('../second', root)).toBe(second)
  }
})

test('a worktree is found from a root that is named by a link', () => {
  const link = join(folder.root, 'link')
  symlinkSync(main, link)
  expect([worktreeOf(link), rootOfWorktree('', link)]).toEqual(['', link])
  expect(rootOfWorktree('../second', link)).toBe(second)
})

test.each(['..', '../..', '../gone', '/', '../second/.', 'within', 'a'.repeat(300)])(
  'what is no worktree of the repository is not found as one: %s',
  other => {
    expect(rootOfWorktree(other, main)).toBeUndefined()
  },
)
