import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PROGRAM } from '../../test/program.ts'
import { FAULTY, openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import check from './check.ts'
import doctor from './doctor.ts'
import init from './init.ts'

let box: TestFolder
beforeEach(() => {
  box = openTestFolder()
  git('init', '-q', '-b', 'main')
})
afterEach(() => {
  vi.unstubAllEnvs()
  box.remove()
})

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
    cwd: box.root,
    stdio: 'pipe',
  })
const commit = () => {
  git('add', '.')
  git('commit', '-qm', 'one')
}
/** What check reports of each document: its path, and the first fault or nothing. */
const reported = async (input: Parameters<typeof check.run>[0]) =>
  (await check.run(input, box.app())).documents.map(({ path, diagnostics }) => [
    path,
    diagnostics[0]?.message,
  ])

describe('a repository of another user, which Git refuses,', () => {
  const command = () => `git config --global --add safe.directory ${box.root}`
  beforeEach(() => {
    // With this variable Git takes every owner for another user, which needs no administrator.
    const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
    box.write('bin/git', `#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '${real}' "$@"\n`)
    chmodSync(join(box.root, 'bin/git'), 0o755)
    vi.stubEnv('PATH', `${join(box.root, 'bin')}:${process.env.PATH}`)
    // The user of this test may trust every repository.
    vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null')
  })

  test.each([{ changed: true }, { staged: true }])(
    'is no reason to say that there is none: %o names the command',
    async selection => {
      await expect(check.run(selection, box.app())).rejects.toMatchObject({
        message: expect.stringContaining('dubious ownership'),
        hint: `it belongs to another user; if you trust it, run ${command()}`,
      })
    },
  )

  test('is reported by doctor with the command', async () => {
    const { items } = await doctor.run({}, box.app())
    expect(items.find(({ name }) => name === 'git')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('because another user owns it (safe.directory)'),
      remedy: expect.stringContaining(`if you trust it, run ${command()}: `),
    })
  })
})

describe('a file whose name is not UTF-8', () => {
  const name = Buffer.concat([Buffer.from([0xff]), Buffer.from('.json')])
  const refusal = [
    '\ufffd.json',
    'the file cannot be read: its name is not UTF-8, or has the character U+FFFD',
  ]
  const writeOdd = () => writeFileSync(Buffer.concat([Buffer.from(`${box.root}/`), name]), FAULTY)

  test.each([
    { when: 'on a walk', selection: {} },
    { when: 'as changed', selection: { changed: true } },
  ])('is refused truthfully $when, before and after the first commit', async ({ selection }) => {
    writeOdd()
    expect(await reported(selection)).toEqual([refusal])
    git('commit', '-q', '--allow-empty', '-m', 'one')
    expect(await reported(selection)).toEqual([refusal])
  })

  test('is not hidden by a sound one that has the name it is shown by', async () => {
    writeOdd()
    box.write('\ufffd.json', SOUND)
    expect(await reported({})).toEqual([refusal])
  })
})

test.each([{ changed: true }, { changed: 'HEAD' }, { staged: true }])(
  'a submodule that is called like a document is passed over by %o, and so is one that is none yet',
  async selection => {
    box.write('a.txt', 'a\n')
    commit()
    git('clone', '-q', '.', 'handoffs/sub.json')
    git('clone', '-q', '.', 'handoffs/none.json')
    git('add', 'handoffs/sub.json')
    expect(await reported(selection)).toEqual([])
    git('update-ref', '-d', 'HEAD')
    expect(await reported(selection.changed ? { changed: true } : selection)).toEqual([])
  },
)

test('a conflict that a merge left is reported by --staged, where it is asked about', async () => {
  box.write('a.json', '{}')
  box.write('notes.txt', 'a\n')
  commit()
  const change = (text: string) => {
    box.write('a.json', text)
    box.write('notes.txt', text)
    commit()
  }
  git('checkout', '-qb', 'other')
  change('{"a": 1}')
  git('checkout', '-q', 'main')
  change('{"a": 2}')
  expect(() => git('merge', 'other')).toThrow()
  const refusal = 'the file cannot be read: it has merge conflicts, so nothing is staged'
  expect(await reported({ staged: true })).toEqual([['a.json', refusal]])
  mkdirSync(join(box.root, 'elsewhere'))
  expect(await reported({ staged: true, paths: ['elsewhere'] })).toEqual([])
})

// Making folders there the way Node does never ends, so that each of these is a process that can be ended.
describe.skipIf(!existsSync('/proc/self'))('where no folder can be made', () => {
  const waybill = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, [PROGRAM, ...args], {
      cwd: box.root,
      encoding: 'utf8',
      env: { ...process.env, ...env },
      timeout: 120_000,
      killSignal: 'SIGKILL',
    })

  test('the last checkpoint cannot be remembered, and nothing is recorded', async () => {
    await init.run({}, box.app())
    box.write('in.json', '{}')
    const { status, stderr } = waybill(['receive', 'in.json'], { XDG_STATE_HOME: '/proc/none' })
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /\/proc\/none\S* cannot be created \(ENOENT\)\n.*XDG_STATE_HOME/,
      ),
    })
    expect(existsSync(join(box.root, '.waybill/ledger'))).toBe(false)
  })

  test('a session does not begin', () => {
    const { status, stderr } = waybill([
      'state',
      'init',
      '--root',
      '/proc/self',
      '--file',
      '/proc/self/a/b.yaml',
    ])
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('a cannot be created (ENOENT)'),
    })
  })

  test('nothing is locked', async () => {
    await init.run({}, box.app())
    symlinkSync('/proc', join(box.root, '.waybill/locks'))
    box.write('in.json', '{}')
    const { status, stderr } = waybill(['receive', 'in.json'])
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/\.waybill\/locks\/\S+ cannot be written \(ENOENT\)/),
    })
  })
})
