import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../waybill.ts')

function run(args: readonly string[], input = '') {
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: tmpdir(),
    input,
    encoding: 'utf8',
  })
  return { status, stdout }
}

test('whoever is refused a bundle is told once for each code where it says what to do', () => {
  const { status, stdout } = run(['mission', 'import', '--dry-run', '-'], '{ "a": 1 }\nno JSON\n')
  expect(status).toBe(1)
  const codes = [...stdout.matchAll(/^error (\S+)/gm)].map(([, code = '']) => code)
  const named = [...stdout.matchAll(/^waybill explain (\S+) shows/gm)].map(([, code = '']) => code)
  expect(codes).not.toEqual([])
  expect(named).toEqual([...new Set(codes)])
  for (const code of named)
    expect(run(['explain', code])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('fix '),
    })
})
