import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'

const program = join(import.meta.dirname, 'waybill.ts')
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
  const env = { ...process.env, NO_COLOR: '', FORCE_COLOR: '0' }
  const cwd = place(folder)
  return spawnSync(process.execPath, [program, ...args], { cwd, input, encoding: 'utf8', env })
}

/** The documents by their paths from the root, and whether each was accepted. */
function verdicts(args: readonly string[], folder: string, input = ''): Record<string, boolean> {
  const { stdout, stderr } = waybill(['check', ...args, '--format', 'json'], folder, input)
  expect(stderr).toBe('')
  const documents: { path: string; accepted: boolean }[] = JSON.parse(stdout).documents
  return Object.fromEntries(documents.map(({ path, accepted }) => [path, accepted]))
}

/** What is said of documents that belong to several repositories, without the remedy. */
function refusal(paths: readonly string[], folder: string): string {
  const { status, stdout, stderr } = waybill(['check', ...paths], folder)
  expect([status, stdout]).toEqual([2, ''])
  const hint =
    '  name documents of one repository, or set a common folder with --root\n'
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

  test('answers for what is in that folder too, however it is named, and in whatever order', () => {
    const both = { 'a.json': false, 'sub/app/a.json': false }
    expect(verdicts(['a.json', 'sub/app/a.json'], 'outer')).toEqual(both)
    expect(verdicts(['sub/app/a.json', 'a.json'], 'outer')).toEqual(both)
    expect(verdicts([], 'outer')).toEqual(both)
    const one = { 'sub/app/a.json': false }
    expect(verdicts(['sub/app/a.json'], 'outer')).toEqual(one)
    expect(verdicts(['sub'], 'outer')).toEqual(one)
    expect(verdicts(['-', '--stdin-path', 'sub/app/a.json'], 'outer', AT_FAULT)).toEqual(one)
    expect(waybill(['show', 'sub/app/a.json'], 'outer').status).toBe(1)
  })

  test('is left to that configuration where one stands in the folder, or says so', () => {
    expect(verdicts(['a.json'], 'outer/sub/app')).toEqual({ 'a.json': true })
    expect(verdicts(['a.json', '--root', '.'], 'outer/sub/app')).toEqual({ 'a.json': true })
    expect(verdicts(['sub/app/a.json', '--root', 'sub/app'], 'outer')).toEqual({ 'a.json': true })
  })

  test('is not mixed with that configuration where it stands between them', () => {
    for (const [folder, above, below] of [
      ['outer/sub/app', '../../a.json', 'a.json'],
      ['.', 'outer/a.json', 'outer/sub/app/a.json'],
    ] as const) {
      for (const named of [
        [above, below],
        [below, above],
      ])
        expect(refusal(named, folder)).toBe(
          `waybill: ${place('outer/a.json')} does not belong to the repository ${place('outer/sub/app')}\n`,
        )
      expect(verdicts([above], folder)).toEqual({ 'a.json': false })
      expect(verdicts([below], folder)).toEqual({ 'a.json': true })
    }
  })

  test('is found from a document where the current folder belongs to none', () => {
    expect(verdicts(['outer/sub/app/a.json'], '.')).toEqual({ 'a.json': true })
    expect(verdicts(['outer'], '.')).toEqual({ 'a.json': false, 'sub/app/a.json': false })
    const stdin = ['-', '--stdin-path', 'outer/sub/app/a.json']
    expect(verdicts(stdin, '.', AT_FAULT)).toEqual({ 'a.json': true })
  })
})

test.each([
  { folder: '.', paths: ['one/a.json', 'two/a.json'] },
  { folder: 'one', paths: ['a.json', '../two/a.json'] },
])('documents of two repositories are not judged by one of them: $paths', ({ folder, paths }) => {
  for (const name of ['one', 'two']) {
    box.write(`${name}/waybill.yaml`, OFF)
    box.write(`${name}/a.json`, AT_FAULT)
  }
  for (const named of [paths, paths.toReversed()])
    expect(refusal(named, folder)).toMatch(/ does not belong to the repository /)
  expect(Object.values(verdicts([...paths, '--root', place('.')], folder))).toEqual([false, false])
})

test.each(['folder', 'file'])(
  'a repository in the current one is judged by that: a %s .git',
  kind => {
    mkdirSync(place('outer/.git'), { recursive: true })
    if (kind === 'folder') mkdirSync(place('outer/lib/.git'), { recursive: true })
    else box.write('outer/lib/.git', 'gitdir: ../.git/modules/lib\n')
    box.write('outer/lib/waybill.yaml', OFF)
    box.write('outer/lib/bad.json', AT_FAULT)
    const judged = { 'lib/bad.json': false }
    for (const named of [[], ['lib'], ['lib/bad.json']])
      expect(verdicts(named, 'outer')).toEqual(judged)
    const { stdout } = waybill(['check', 'lib/bad.json', '--format', 'github'], 'outer')
    expect(stdout).toContain('file=lib/bad.json')
    expect(verdicts([], 'outer/lib')).toEqual({ 'bad.json': true })
  },
)

test('a repository that is named by two ways is one, and its documents are named from its root', () => {
  mkdirSync(place('real/.git'), { recursive: true })
  box.write('real/.gitignore', 'left.json\n')
  box.write('real/a.json', SOUND)
  box.write('real/sub/b.json', AT_FAULT)
  box.write('real/sub/left.json', SOUND)
  symlinkSync('real', place('link'))
  const both = { 'a.json': true, 'sub/b.json': false }
  const linked = place('link/sub/b.json')
  expect(verdicts(['a.json', linked], 'real')).toEqual(both)
  expect(verdicts([linked, 'a.json'], 'real')).toEqual(both)
  expect(verdicts([place('link')], 'real')).toEqual(both)
  expect(verdicts([place('link/sub')], 'real')).toEqual({ 'sub/b.json': false })
  expect(verdicts(['link/sub/b.json', 'real/a.json'], '.')).toEqual(both)
  expect(verdicts(['a.json', '--root', place('link')], 'real')).toEqual({ 'a.json': true })
  const stdin = ['-', '--stdin-path', linked]
  expect(verdicts(stdin, 'real', AT_FAULT)).toEqual({ 'sub/b.json': false })
})

describe('without any repository', () => {
  beforeEach(() => {
    for (const path of ['a/x.json', 'b/y.json', 'c/z.json']) box.write(path, SOUND)
  })

  test('the current folder answers for what lies below it, else the folder that holds all', () => {
    const both = { 'a/x.json': true, 'b/y.json': true }
    expect(verdicts(['a/x.json', 'b/y.json'], '.')).toEqual(both)
    expect(verdicts(['../a/x.json', '../b/y.json'], 'c')).toEqual(both)
    expect(verdicts(['../a/x.json', 'z.json'], 'c')).toEqual({ 'a/x.json': true, 'c/z.json': true })
    expect(verdicts(['../a/x.json'], 'c')).toEqual({ 'x.json': true })
  })

  test('nothing is judged together with what belongs to one', () => {
    box.write('b/waybill.yaml', OFF)
    for (const named of [
      ['a/x.json', 'b/y.json'],
      ['b/y.json', 'a/x.json'],
    ])
      expect(refusal(named, '.')).toBe(
        `waybill: ${place('a/x.json')} does not belong to the repository ${place('b')}\n`,
      )
  })

  test('the root of the file system is not taken for one', () => {
    const { status, stderr } = waybill(['check', '../a', '/'], 'c')
    expect([status, stderr]).toEqual([
      2,
      'waybill: the named paths are in no repository, and their only common folder is /\n' +
        '  set their root with --root\n',
    ])
  })

  test.each(['/waybill-none.json', '/waybill-none.md#L3'])(
    '%s, which is not there, is told as that',
    absent => {
      const { status, stderr } = waybill(['check', absent], 'c')
      expect([status, stderr]).toEqual([
        2,
        `waybill: ${absent} does not exist\n  name a file or a folder that exists\n`,
      ])
    },
  )

  test('standard input need not be where it is said to stand', () => {
    const { status, stderr } = waybill(['check', '-', '--stdin-path', '/none.json'], 'c', SOUND)
    expect([status, stderr]).toEqual([2, expect.stringContaining('set their root with --root')])
  })
})

test('a root that is empty is refused: the variable that was meant is not set', () => {
  const { status, stderr } = waybill(['check', '--root', ''], '.')
  expect([status, stderr]).toEqual([
    2,
    'waybill: the root is empty\n  write . for this folder, or leave it out\n',
  ])
})
