import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { contracts } from '../src/contracts/index.ts'
import { folderOf } from './fixture.ts'

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist/waybill.cjs')

beforeAll(() => {
  // The launcher builds when sources are newer; it is the way in which a clone is used.
  execFileSync(join(root, 'bin/waybill'), ['--version'], { stdio: 'pipe' })
})

const run = (program: string, args: readonly string[]) =>
  spawnSync(process.execPath, [program, ...args, '--now', '2026-06-01T12:00:00Z'], {
    cwd: root,
    encoding: 'utf8',
  })

describe.each(contracts.map(c => c.id))(
  'the built program decides like the sources about %s',
  id => {
    test('valid and invalid fixtures', () => {
      const args = [
        'check',
        join(folderOf(id), 'fixtures/valid'),
        join(folderOf(id), 'fixtures/invalid'),
        '--format',
        'json',
        '--root',
        folderOf(id),
      ]
      const ours = run(built, args)
      const theirs = run('src/cli/waybill.ts', args)
      expect(ours.stderr).toBe('')
      expect(JSON.parse(ours.stdout)).toEqual(JSON.parse(theirs.stdout))
      expect(ours.status).toBe(theirs.status)
    })
  },
)

test('a build leaves no half-built folder behind', () => {
  expect(existsSync(built)).toBe(true)
})
