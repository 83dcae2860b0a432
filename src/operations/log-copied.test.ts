import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { git } from '../workspace/git.ts'
import doctor from './doctor.ts'
import init from './init.ts'
import keyRotate from './key-rotate.ts'
import logMigrate from './log-migrate.ts'
import logShow from './log-show.ts'
import logVerify from './log-verify.ts'

let folder: TestFolder
let first: string
let second: string
beforeEach(async () => {
  folder = openTestFolder()
  first = join(folder.root, 'first')
  second = join(folder.root, 'second')
  mkdirSync(first)
  await init.run({}, app(first))
  await grow(first)
})
afterEach(() => folder.remove())

const app = (root: string) =>
  folder.app({
    ...{ root, cwd: root, now: Date.now(), clock: Date.now },
    stateHome: join(folder.root, 'state'),
  })
const grow = (root: string) => keyRotate.run({ holder: 'gateway' }, app(root))
const copy = (from = first, to = second) => execFileSync('cp', ['-r', from, to])
const codes = async (root: string) =>
  (await logVerify.run({}, app(root))).faults.map(({ code }) => code)
const size = async (root: string) => (await logVerify.run({}, app(root))).size
const filesOf = (root: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(file => !file.includes('locks') && statSync(join(root, file)).isFile())
    .map(file => [file, readFileSync(join(root, file), 'latin1')])

const isCopy = () => ({
  code: 'exists',
  message: expect.stringContaining(`the log here is a copy of the one in ${first}`),
  hint: expect.stringContaining('waybill init --new-log'),
})

test('a log that was moved with its repository goes on without a word', async () => {
  renameSync(first, second)
  expect(await codes(second)).toEqual([])
  await grow(second)
  expect(await codes(second)).toEqual([])
  mkdirSync(first)
  await init.run({}, app(first))
  await grow(first)
  await grow(second)
  expect([await codes(first), await codes(second)]).toEqual([[], []])
})

describe('a log that was copied with its repository', () => {
  beforeEach(() => copy())

  test('is read and verified, and says that it is a copy', async () => {
    await grow(first)
    expect(await logVerify.run({}, app(second))).toMatchObject({ verified: true, size: 1 })
    expect(await codes(second)).toEqual(['ledger/copied'])
    expect((await logShow.run({}, app(second))).entries).toHaveLength(1)
    const { items } = await doctor.run({}, app(second))
    expect(items).toContainEqual(
      expect.objectContaining({ name: 'log', message: expect.stringContaining(first) }),
    )
  })

  test('is not written to by anything, and the log itself verifies and goes on', async () => {
    const before = filesOf(second)
    await expect(grow(second)).rejects.toMatchObject(isCopy())
    for (const given of [{}, { dryRun: true }])
      await expect(init.run(given, app(second))).rejects.toMatchObject(isCopy())
    await expect(logMigrate.run({ to: 'postgres' }, app(second))).rejects.toMatchObject(isCopy())
    expect(filesOf(second)).toEqual(before)
    expect(await codes(first)).toEqual([])
    await grow(first)
    expect(await size(first)).toBe(2)
  })

  test('gives way to a log of its own when that is asked for, and both verify', async () => {
    const before = filesOf(second)
    await init.run({ newLog: true, dryRun: true }, app(second))
    expect(filesOf(second)).toEqual(before)
    const { keys } = await init.run({ newLog: true }, app(second))
    expect(keys.map(({ kind, where }) => [kind, where])).toEqual([
      ['gateway', 'created'],
      ['log', 'created'],
    ])
    for (const root of [second, first]) await grow(root)
    expect([await codes(first), await codes(second)]).toEqual([[], []])
    expect([await size(first), await size(second)]).toEqual([2, 1])
  })

  test('takes the place of the log once that is removed', async () => {
    rmSync(first, { recursive: true })
    await grow(second)
    expect(await codes(second)).toEqual([])
    copy(second, first)
    await expect(grow(first)).rejects.toMatchObject({ message: expect.stringContaining(second) })
  })
})

test('an older copy of the repository in its place is still found, there and elsewhere', async () => {
  copy()
  await grow(first)
  rmSync(first, { recursive: true })
  expect(await codes(second)).toEqual(['ledger/rolled-back'])
  renameSync(second, first)
  expect(await codes(first)).toEqual(['ledger/rolled-back'])
  await expect(grow(first)).rejects.toMatchObject({ code: 'ledger-tampered' })
})

test('a log whose place no earlier version remembers is at home where it is written next', async () => {
  copy()
  for (const file of readdirSync(join(folder.root, 'state/checkpoint')))
    if (file.endsWith('.place')) rmSync(join(folder.root, 'state/checkpoint', file))
  expect(await codes(second)).toEqual([])
  await grow(first)
  await expect(grow(second)).rejects.toMatchObject(isCopy())
})

test('a worktree writes to the log of its repository, which is no copy', async () => {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  git(first, ['init', '--quiet'])
  git(first, ['add', 'waybill.yaml', '.gitignore'])
  git(first, [...author, 'commit', '--quiet', '--message', 'first'])
  git(first, ['worktree', 'add', '--quiet', '../second'])
  await grow(second)
  expect([await codes(second), await size(first)]).toEqual([[], 2])
  // Its own configuration does not list the key that the worktree made.
  expect(await codes(first)).toEqual(['ledger/unknown-key'])
})
