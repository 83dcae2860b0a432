import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import { waybill as run } from '../../test/waybill.ts'

let box: TestFolder
beforeEach(() => {
  box = openTestFolder()
  mkdirSync(join(box.root, 'real/.git'), { recursive: true })
  mkdirSync(join(box.root, 'other'))
  symlinkSync('real', join(box.root, 'link'))
  symlinkSync('other', join(box.root, 'away'))
  box.write('real/a.json', SOUND)
  box.write('real/src/pom.xml', '<project/>')
  box.write('real/ORCHESTRATION.yaml', 'pipelines: {ps: {phases: [{id: 1, agents: [{id: a}]}]}}')
})
afterEach(() => box.remove())

function waybill(args: readonly string[], folder: string) {
  return run(args, { cwd: join(box.root, folder) })
}

const VERBS: readonly [string, (place: string) => string[], string | undefined][] = [
  ['accept', to => ['accept', 'a.json', '--session', 's-1', '--output', `${to}/b.json`], 'b.json'],
  [
    'new',
    to => ['new', 'session-context', `${to}/new/c.json`, '--draft', '--agent', 'ps-researcher'],
    'new/c.draft.json',
  ],
  [
    'pipeline status',
    to => ['pipeline', 'status', '--file', `${to}/ORCHESTRATION.yaml`],
    undefined,
  ],
  ['state profile', to => ['state', 'profile', '--scope', `${to}/src`], undefined],
]

test.each(VERBS)('%s takes a path however it is spelled', async (_, args, written) => {
  for (const place of [
    '.',
    './src/..',
    join(box.root, 'real'),
    '../link',
    join(box.root, 'link'),
  ]) {
    const { status, stderr } = await waybill(args(place), 'real')
    expect([status, stderr], place).toEqual([0, ''])
    if (written === undefined) continue
    expect(existsSync(join(box.root, 'real', written)), place).toBe(true)
    rmSync(join(box.root, 'real', written))
  }
})

test.each(VERBS)('%s takes none that leads out of the repository', async (_, args) => {
  for (const place of ['../other', '../away', join(box.root, 'away')]) {
    const { status, stdout } = await waybill(args(place), 'real')
    expect([status, stdout], place).toEqual([2, ''])
  }
  expect(existsSync(join(box.root, 'other/b.json'))).toBe(false)
  expect(existsSync(join(box.root, 'other/new'))).toBe(false)
})
