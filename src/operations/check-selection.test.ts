import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FAULTY, openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import { WaybillError } from '../error.ts'
import checkOperation from './check.ts'
import type { App } from './operation.ts'

let box: TestFolder
let root: string
beforeEach(() => {
  box = openTestFolder()
  root = box.root
})
afterEach(() => box.remove())

const sound = SOUND
const faulty = FAULTY
const write = (path: string, text: string | Uint8Array) => box.write(path, text)
const check = (input: Parameters<typeof checkOperation.run>[0] = {}, more: Partial<App> = {}) =>
  checkOperation.run(input, box.app(more))
describe('Git', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
      cwd: root,
      stdio: 'pipe',
    })
  beforeEach(() => {
    git('init', '-q', '-b', 'main')
    write('old.json', sound)
    git('add', '.')
    git('commit', '-qm', 'one')
  })

  test('--changed checks what differs from a commit, and new files', async () => {
    write('new.json', sound)
    expect((await check({ changed: true })).documents.map(d => d.path)).toEqual(['new.json'])
    git('add', '.')
    git('commit', '-qm', 'two')
    expect((await check({ changed: true })).documents).toEqual([])
    expect((await check({ changed: 'HEAD~1' })).documents.map(d => d.path)).toEqual(['new.json'])
  })

  test('--staged checks what the next commit would hold, not the work tree', async () => {
    write('old.json', faulty)
    git('add', '.')
    write('old.json', sound)
    const output = await check({ staged: true })
    expect(output.documents.map(d => [d.path, d.accepted])).toEqual([['old.json', false]])
  })

  test.each([
    { how: '--changed', selection: { changed: true } },
    { how: '--staged', selection: { staged: true } },
  ])('$how passes over what a walk passes over', async ({ selection }) => {
    write('waybill.yaml', 'ignore: [samples/, "*.golden.json"]\n')
    write('samples/deep/bad.json', faulty)
    write('node_modules/bad.json', faulty)
    write('bad.golden.json', faulty)
    write('new.json', sound)
    // By its place a handoff, by its text the name of another file.
    write('handoffs/real.json', sound)
    symlinkSync('../new.json', join(root, 'handoffs/2026-02-11T14-30-00Z-x.md'))
    git('add', '.')
    const { documents } = await check(selection)
    expect(documents.map(d => d.path)).toEqual(['handoffs/real.json', 'new.json'])
    expect((await check({ ...selection, paths: ['handoffs'] })).documents).toHaveLength(1)
  })

  test.each([
    { how: '--changed', selection: { changed: true } },
    { how: '--staged', selection: { staged: true } },
  ])('$how checks a file that is named, though a walk passes over it', async ({ selection }) => {
    write('waybill.yaml', 'ignore: [ignored.json]\n')
    const odd = ['a.draft.json', 'ignored.json', 'notes.txt', 'unknown.json', 'waybill.yaml']
    for (const path of odd.slice(0, 3)) write(path, faulty)
    write('unknown.json', '{}')
    git('add', '.')
    const named = async (paths: string[]) =>
      (await check({ ...selection, paths })).documents.map(d => [d.path, d.accepted])
    expect(await named(['.'])).toEqual([])
    expect(await named(['.', ...odd])).toEqual(odd.map(path => [path, false]))
    expect(await named(['old.json'])).toEqual([])
  })

  describe('in the environment of a hook', () => {
    afterEach(() => vi.unstubAllEnvs())
    // The commit that a hook is asked about is not always that of the index: `commit -a`, `commit <path>`.
    const hook = (where: string, what: string) => {
      write(`${where}/hooks/pre-commit`, `#!/bin/sh\nenv -0 > '${root}/variables'\n${what}\n`)
      chmodSync(join(root, where, 'hooks/pre-commit'), 0o755)
    }
    const enter = () => {
      const lines = readFileSync(join(root, 'variables'), 'utf8').split('\0')
      for (const line of lines.filter(one => one.startsWith('GIT_')))
        vi.stubEnv(line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1))
    }

    test.each([
      { how: 'commit -a', args: ['-a'] },
      { how: 'commit <path>', args: ['old.json'] },
    ])('--staged sees what $how would commit', async ({ args }) => {
      // The index under way is there only as long as the hook runs.
      hook('.git', `cp "$GIT_INDEX_FILE" '${root}/kept'\nexit 1`)
      write('old.json', faulty)
      expect(() => git('commit', '-qm', 'two', ...args)).toThrow()
      enter()
      const { GIT_INDEX_FILE: index = '' } = process.env
      copyFileSync(join(root, 'kept'), index)
      const { documents } = await check({ staged: true })
      expect(documents.map(d => [d.path, d.accepted])).toEqual([['old.json', false]])
      vi.unstubAllEnvs()
      rmSync(index)
      expect((await check({ staged: true })).documents).toEqual([])
    })

    test('of another repository, the files of this one are checked', async () => {
      git('init', '-q', '-b', 'main', 'other')
      write('other/a.txt', 'a\n')
      git('-C', 'other', 'add', '.')
      git('-C', 'other', 'commit', '-qm', 'one')
      git('-C', 'other', 'worktree', 'add', '-q', '../linked')
      hook('other/.git', '')
      write('linked/a.txt', 'b\n')
      git('-C', 'linked', 'commit', '-qam', 'two')
      enter()
      expect(process.env).toMatchObject({ GIT_DIR: expect.stringContaining('other/.git') })
      vi.stubEnv('GIT_WORK_TREE', join(root, 'linked'))
      write('.git/info/exclude', 'other\nlinked\nvariables\n')
      write('old.json', faulty)
      write('new.json', sound)
      expect((await check({ changed: true })).documents.map(d => d.path)).toEqual([
        'new.json',
        'old.json',
      ])
      execFileSync('env', ['-i', `PATH=${process.env.PATH}`, 'git', 'add', 'old.json'], {
        cwd: root,
      })
      expect((await check({ staged: true })).documents.map(d => d.path)).toEqual(['old.json'])
    })
  })

  test('--staged reads files whatever they are called', async () => {
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff]), Buffer.from('.json')]),
      faulty,
    )
    write('é "quoted"\n.json', sound)
    git('add', '.')
    const { documents } = await check({ staged: true })
    expect(documents.map(d => [d.path, d.accepted])).toEqual([
      ['é "quoted"\n.json', true],
      ['\ufffd.json', false],
    ])
  })

  test('a commit that does not exist is an error of the call, and no option of Git', async () => {
    await expect(check({ changed: 'nowhere' })).rejects.toThrow(WaybillError)
    await expect(check({ changed: '--output=stolen' })).rejects.toThrow(WaybillError)
    for (const range of ['HEAD~1..HEAD', 'HEAD...HEAD', '^HEAD', 'HEAD^!'])
      await expect(check({ changed: range })).rejects.toThrow('does not name one commit')
  })

  test('a clone that lacks the commit says how to come by it', async () => {
    write('new.json', sound)
    git('add', '.')
    git('commit', '-qm', 'two')
    git('clone', '-q', '--depth', '1', `file://${root}`, 'shallow')
    const shallow = { root: join(root, 'shallow'), cwd: join(root, 'shallow') }
    await expect(check({ changed: 'HEAD~1' }, shallow)).rejects.toMatchObject({
      hint: expect.stringContaining('fetch-depth: 0'),
    })
    expect((await check({ changed: true }, shallow)).documents).toEqual([])
  })
})

test('before the first commit, everything has changed', async () => {
  execFileSync('git', ['init', '-q'], { cwd: root })
  write('added.json', sound)
  write('gone.json', sound)
  write('.gitignore', 'private.json\n')
  write('private.json', faulty)
  execFileSync('git', ['add', '.'], { cwd: root })
  write('new.json', faulty)
  rmSync(join(root, 'gone.json'))
  expect((await check({ changed: true })).documents.map(d => [d.path, d.accepted])).toEqual([
    ['added.json', true],
    ['new.json', false],
  ])
})

test.each([{ changed: true }, { staged: true }])(
  'outside of a repository %o says that there is none',
  async selection => {
    await expect(check(selection)).rejects.toMatchObject({
      message: expect.stringContaining('not a git repository'),
      hint: 'run this inside a Git repository',
    })
  },
)

test.each([
  { selection: { changed: true, staged: true }, said: '--changed and --staged' },
  { selection: { paths: ['-'], staged: true }, said: 'standard input and --staged' },
  { selection: { paths: ['-'], changed: 'main' }, said: 'standard input and --changed' },
  { selection: { stdinPath: 'a.json' }, said: '--stdin-path' },
])('what would be passed over in silence is refused: $said', async ({ selection, said }) => {
  write('a.json', sound)
  await expect(check(selection)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(said),
  })
})

test.each([
  {
    how: 'is an address of a block',
    name: 'n.md#L11',
    said: 'n.md#L11 does not exist',
    hint: 'n.md:',
  },
  { how: 'is not UTF-8', name: '\ufffd.json', said: 'not UTF-8', hint: 'name its folder' },
  { how: 'is of nothing', name: 'm.md#L11', said: 'does not exist', hint: 'an existing file' },
])('a name that $how is refused with what to name', async ({ name, said, hint }) => {
  write('n.md', '# Notes\n')
  await expect(check({ paths: [name] })).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining(said),
    hint: expect.stringContaining(hint),
  })
})

test.each([
  { order: 'before', paths: ['b/notes.json', 'b', '.'] },
  { order: 'after', paths: ['.', 'b', 'b/notes.json'] },
])(
  'a file that is named $order the folders it is met in is checked once, as named',
  async ({ paths }) => {
    write('a.json', sound)
    // Met on a walk it would be passed over; named, it must be a document.
    write('b/notes.json', '{}')
    const { documents } = await check({ paths })
    expect(documents.map(d => [d.path, d.accepted])).toEqual([
      ['a.json', true],
      ['b/notes.json', false],
    ])
  },
)

test('many files are checked on two threads with the same result as on one', async () => {
  for (let i = 0; i < 3100; i++) write(`d${i % 7}/${i}.json`, i % 9 === 0 ? faulty : sound)
  const alone = await check()
  const worker = new URL('./check/worker.ts', import.meta.url)
  const steps: number[] = []
  const together = await check({}, { worker: () => worker, progress: done => steps.push(done) })
  expect(together).toEqual(alone)
  expect(alone.summary).toMatchObject({ documents: 3100, rejected: 345 })
  expect(steps.at(-1)).toBe(3100)
})

test.each(['', '{"x": ', '{"x": 1, "x": 2}', '\u0000\u0001', '['.repeat(200)])(
  'a named file with syntax faults has only these reported: %j',
  async text => {
    write('a.json', text)
    const [document] = (await check({ paths: ['a.json'] })).documents
    expect(document?.accepted).toBe(false)
    for (const { code } of document?.diagnostics ?? []) expect(code).toMatch(/^syntax\//)
  },
)
