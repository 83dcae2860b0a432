import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FAULTY, openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import checkOperation from './check.ts'

let box: TestFolder
beforeEach(() => {
  box = openTestFolder()
  git('init', '-q', '-b', 'main')
})
afterEach(() => {
  vi.unstubAllEnvs()
  box.remove()
})

const git = (...args: string[]) => execFileSync('git', args, { cwd: box.root, stdio: 'pipe' })
const check = (input: Parameters<typeof checkOperation.run>[0] = {}) =>
  checkOperation.run(input, box.app())
const verdicts = async (input: Parameters<typeof checkOperation.run>[0]) =>
  (await check(input)).documents.map(({ path, accepted }) => [path, accepted])

test('what Git lists is checked by one process of Git, tracked files also if .gitignore names them', async () => {
  box.write('.gitignore', '[[:digit:]].json\nold.json\nout/\n')
  box.write('.git/info/exclude', 'mine.json\n')
  for (const path of ['1.json', 'x.json', 'out/new.json', 'out/in.json', 'mine.json', 'a/b.json'])
    box.write(path, SOUND)
  box.write('old.json', FAULTY)
  git('add', '--force', 'out/in.json', 'old.json')
  box.write('.git/settings', `[trace2]\n\teventTarget = ${join(box.root, '.git/log')}\n`)
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(box.root, '.git/settings'))
  const listed = [
    ['a/b.json', true],
    ['old.json', false],
    ['out/in.json', true],
    ['x.json', true],
  ]
  expect(await verdicts({})).toEqual(listed)
  expect(readFileSync(join(box.root, '.git/log'), 'utf8').match(/"event":"start"/g)).toHaveLength(1)
  expect(await verdicts({ paths: ['a', 'out', 'old.json'] })).toEqual(listed.slice(0, 3))
  expect(await verdicts({ staged: true })).toEqual(listed.slice(1, 3))
  git('rm', '-q', '--cached', 'out/in.json')
  await expect(check({ paths: ['out'] })).rejects.toMatchObject({
    message: 'out is ignored by .gitignore, so nothing in it is checked',
  })
})
