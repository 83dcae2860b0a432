import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
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

  test('answers for both where one that is named lies above the current folder', () => {
    const both = { 'a.json': false, 'sub/app/a.json': false }
    expect(verdicts(['a.json', '../../a.json'], 'outer/sub/app')).toEqual(both)
    expect(verdicts(['../../a.json', 'a.json'], 'outer/sub/app')).toEqual(both)
  })

  test('is found from its documents where the current folder belongs to none', () => {
    const both = { 'a.json': false, 'sub/app/a.json': false }
    expect(verdicts(['outer/a.json', 'outer/sub/app/a.json'], '.')).toEqual(both)
    expect(verdicts(['outer/sub/app/a.json', 'outer/a.json'], '.')).toEqual(both)
    expect(verdicts(['outer/sub/app/a.json'], '.')).toEqual({ 'a.json': true })
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
  for (const named of [paths, paths.toReversed()]) {
    const { status, stdout, stderr } = waybill(['check', ...named], folder)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/does not belong to the repository .*\n {2}name the documents of one/)
  }
  expect(Object.values(verdicts([...paths, '--root', place('.')], folder))).toEqual([false, false])
})

test.each(['folder', 'file'])('a repository in another one is its own, by a %s .git', kind => {
  mkdirSync(place('outer/.git'), { recursive: true })
  if (kind === 'folder') mkdirSync(place('outer/lib/.git'), { recursive: true })
  else box.write('outer/lib/.git', 'gitdir: ../.git/modules/lib\n')
  box.write('outer/a.json', SOUND)
  box.write('outer/lib/docs/a.json', SOUND)
  expect(verdicts(['lib/docs/a.json'], 'outer')).toEqual({ 'docs/a.json': true })
  expect(verdicts(['lib'], 'outer')).toEqual({ 'docs/a.json': true })
  expect(waybill(['check', 'a.json', 'lib/docs/a.json'], 'outer').status).toBe(2)
})

test('a root that is empty is refused: the variable that was meant is not set', () => {
  const { status, stderr } = waybill(['check', '--root', ''], '.')
  expect([status, stderr]).toEqual([
    2,
    'waybill: the root is empty\n  write . for this folder, or leave it out\n',
  ])
})
