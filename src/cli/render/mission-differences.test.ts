import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { waybill } from '../../../test/waybill.ts'

function run(args: readonly string[], input = '') {
  return waybill(args, { cwd: tmpdir(), stdin: input })
}

test('a refused bundle names for each code once the command that explains it', async () => {
  const { status, stdout } = await run(
    ['mission', 'import', '--dry-run', '-'],
    '{ "a": 1 }\nno JSON\n',
  )
  expect(status).toBe(1)
  const codes = [...stdout.matchAll(/^error (\S+)/gm)].map(([, code = '']) => code)
  const named = [...stdout.matchAll(/^waybill explain (\S+) shows/gm)].map(([, code = '']) => code)
  expect(codes).not.toEqual([])
  expect(named).toEqual([...new Set(codes)])
  for (const code of named)
    expect(await run(['explain', code])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('fix '),
    })
})
