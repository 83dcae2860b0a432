import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import { waybill as run } from '../../test/waybill.ts'

const AT_FAULT = SOUND.replace(
  '"key_findings"',
  '"artifacts": [{ "path": "/etc/passwd", "type": "analysis" }], "key_findings"',
)
const OFF = 'rules: {session-context/relative-paths: {severity: off, reason: old}}\n'

let box: TestFolder
beforeEach(() => {
  box = openTestFolder()
})
afterEach(() => box.remove())

const place = (path: string) => join(box.root, path)

function waybill(args: readonly string[], folder: string, input = '') {
  const env = { NO_COLOR: '', FORCE_COLOR: '0' }
  return run(args, { cwd: place(folder), stdin: input, env })
}

/** The documents by their paths from the root, and whether each was accepted. */
async function verdicts(
  args: readonly string[],
  folder: string,
  input = '',
): Promise<Record<string, boolean>> {
  const { stdout, stderr } = await waybill(['check', ...args, '--format', 'json'], folder, input)
  expect(stderr).toBe('')
  const documents: { path: string; accepted: boolean }[] = JSON.parse(stdout).documents
  return Object.fromEntries(documents.map(({ path, accepted }) => [path, accepted]))
}

/** What is said of documents that belong to several repositories, without the remedy. */
async function refusal(paths: readonly string[], folder: string): Promise<string> {
  const { status, stdout, stderr } = await waybill(['check', ...paths], folder)
  expect([status, stdout]).toEqual([2, ''])
  const hint = '  name documents of one repository, or set a common folder with --root\n'
  expect(stderr).toContain(hint)
  return stderr.replace(hint, '')
}

describe('a repository in which a folder has a configuration of its own', () => {
  beforeEach(() => {
    mkdirSync(place('outer/.git'), { recursive: true })
    box.write('outer/a.json', AT_FAULT)
    box.write('outer/sub/app/a.json', AT_FAULT)
    box.write('outer/sub/app/waybill.yaml', OFF)
  })

  test('answers for what is in that folder too, however it is named, and in whatever order', async () => {
    const both = { 'a.json': false, 'sub/app/a.json': false }
    expect(await verdicts(['a.json', 'sub/app/a.json'], 'outer')).toEqual(both)
    expect(await verdicts(['sub/app/a.json', 'a.json'], 'outer')).toEqual(both)
    expect(await verdicts([], 'outer')).toEqual(both)
    const one = { 'sub/app/a.json': false }
    expect(await verdicts(['sub/app/a.json'], 'outer')).toEqual(one)
    expect(await verdicts(['sub'], 'outer')).toEqual(one)
    expect(await verdicts(['-', '--stdin-path', 'sub/app/a.json'], 'outer', AT_FAULT)).toEqual(one)
    expect((await waybill(['show', 'sub/app/a.json'], 'outer')).status).toBe(1)
  })

  test('is left to that configuration where one stands in the folder, or says so', async () => {
    expect(await verdicts(['a.json'], 'outer/sub/app')).toEqual({ 'a.json': true })
    expect(await verdicts(['a.json', '--root', '.'], 'outer/sub/app')).toEqual({ 'a.json': true })
    expect(await verdicts(['sub/app/a.json', '--root', 'sub/app'], 'outer')).toEqual({
      'a.json': true,
    })
  })

  test('is not mixed with that configuration where it stands between them', async () => {
    for (const [folder, above, below] of [
      ['outer/sub/app', '../../a.json', 'a.json'],
      ['.', 'outer/a.json', 'outer/sub/app/a.json'],
    ] as const) {
      for (const named of [
        [above, below],
        [below, above],
      ])
        expect(await refusal(named, folder)).toBe(
          `waybill: ${place('outer/a.json')} does not belong to the repository ${place('outer/sub/app')}\n`,
        )
      expect(await verdicts([above], folder)).toEqual({ 'a.json': false })
      expect(await verdicts([below], folder)).toEqual({ 'a.json': true })
    }
  })

  test('is found from a document where the current folder belongs to none', async () => {
    expect(await verdicts(['outer/sub/app/a.json'], '.')).toEqual({ 'a.json': true })
    expect(await verdicts(['outer'], '.')).toEqual({ 'a.json': false, 'sub/app/a.json': false })
    const stdin = ['-', '--stdin-path', 'outer/sub/app/a.json']
    expect(await verdicts(stdin, '.', AT_FAULT)).toEqual({ 'a.json': true })
  })
})

test.each([
  { folder: '.', paths: ['one/a.json', 'two/a.json'] },
  { folder: 'one', paths: ['a.json', '../two/a.json'] },
])(
  'documents of two repositories are not judged by one of them: $paths',
  async ({ folder, paths }) => {
    for (const name of ['one', 'two']) {
      box.write(`${name}/waybill.yaml`, OFF)
      box.write(`${name}/a.json`, AT_FAULT)
    }
    for (const named of [paths, paths.toReversed()])
      expect(await refusal(named, folder)).toMatch(/ does not belong to the repository /)
    expect(Object.values(await verdicts([...paths, '--root', place('.')], folder))).toEqual([
      false,
      false,
    ])
  },
)

test.each(['folder', 'file'])(
  'a repository in the current one is judged by that when it is named: a %s .git',
  async kind => {
    mkdirSync(place('outer/.git'), { recursive: true })
    if (kind === 'folder') mkdirSync(place('outer/lib/.git'), { recursive: true })
    else box.write('outer/lib/.git', 'gitdir: ../.git/modules/lib\n')
    box.write('outer/lib/waybill.yaml', OFF)
    box.write('outer/lib/bad.json', AT_FAULT)
    const judged = { 'lib/bad.json': false }
    expect(await verdicts([], 'outer')).toEqual({})
    for (const named of [['lib'], ['lib/bad.json']])
      expect(await verdicts(named, 'outer')).toEqual(judged)
    const { stdout } = await waybill(['check', 'lib/bad.json', '--format', 'github'], 'outer')
    expect(stdout).toContain('file=lib/bad.json')
    expect(await verdicts([], 'outer/lib')).toEqual({ 'bad.json': true })
  },
)

test('a repository that is named by two ways is one, and its documents are named from its root', async () => {
  mkdirSync(place('real/.git'), { recursive: true })
  box.write('real/.gitignore', 'left.json\n')
  box.write('real/a.json', SOUND)
  box.write('real/sub/b.json', AT_FAULT)
  box.write('real/sub/left.json', SOUND)
  symlinkSync('real', place('link'))
  const both = { 'a.json': true, 'sub/b.json': false }
  const linked = place('link/sub/b.json')
  expect(await verdicts(['a.json', linked], 'real')).toEqual(both)
  expect(await verdicts([linked, 'a.json'], 'real')).toEqual(both)
  expect(await verdicts([place('link')], 'real')).toEqual(both)
  expect(await verdicts([place('link/sub')], 'real')).toEqual({ 'sub/b.json': false })
  expect(await verdicts(['link/sub/b.json', 'real/a.json'], '.')).toEqual(both)
  expect(await verdicts(['a.json', '--root', place('link')], 'real')).toEqual({ 'a.json': true })
  const stdin = ['-', '--stdin-path', linked]
  expect(await verdicts(stdin, 'real', AT_FAULT)).toEqual({ 'sub/b.json': false })
})

describe('without any repository', () => {
  beforeEach(() => {
    for (const path of ['a/x.json', 'b/y.json', 'c/z.json']) box.write(path, SOUND)
  })

  test('the current folder answers for what lies below it, else the folder that holds all', async () => {
    const both = { 'a/x.json': true, 'b/y.json': true }
    expect(await verdicts(['a/x.json', 'b/y.json'], '.')).toEqual(both)
    expect(await verdicts(['../a/x.json', '../b/y.json'], 'c')).toEqual(both)
    expect(await verdicts(['../a/x.json', 'z.json'], 'c')).toEqual({
      'a/x.json': true,
      'c/z.json': true,
    })
    expect(await verdicts(['../a/x.json'], 'c')).toEqual({ 'x.json': true })
  })

  test('nothing is judged together with what belongs to one', async () => {
    box.write('b/waybill.yaml', OFF)
    for (const named of [
      ['a/x.json', 'b/y.json'],
      ['b/y.json', 'a/x.json'],
    ])
      expect(await refusal(named, '.')).toBe(
        `waybill: ${place('a/x.json')} does not belong to the repository ${place('b')}\n`,
      )
  })

  test('the root of the file system is not taken for one', async () => {
    const { status, stderr } = await waybill(['check', '../a', '/'], 'c')
    expect([status, stderr]).toEqual([
      2,
      'waybill: the named paths are in no repository, and their only common folder is /\n' +
        '  set their root with --root\n',
    ])
  })

  test.each(['/waybill-none.json', '/waybill-none.md#L3'])(
    '%s, which does not exist, is reported as that',
    async absent => {
      const { status, stderr } = await waybill(['check', absent], 'c')
      expect([status, stderr]).toEqual([
        2,
        `waybill: ${absent} does not exist\n  name a file or a folder that exists\n`,
      ])
    },
  )

  test('standard input need not be where it is said to stand', async () => {
    const { status, stderr } = await waybill(
      ['check', '-', '--stdin-path', '/none.json'],
      'c',
      SOUND,
    )
    expect([status, stderr]).toEqual([2, expect.stringContaining('set their root with --root')])
  })
})

test('a root that is empty is refused: the variable that was meant is not set', async () => {
  const { status, stderr } = await waybill(['check', '--root', ''], '.')
  expect([status, stderr]).toEqual([
    2,
    'waybill: the root is empty\n  write . for this folder, or leave it out\n',
  ])
})
