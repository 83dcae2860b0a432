import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placeOf, writeText } from './place.ts'

test('a file of the database that cannot be written is reported as one of the database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-place-'))
  const { port } = placeOf(join(folder, 'file'))
  writeFileSync(join(folder, 'file'), '')
  expect(() => writeText(port, '20000\n')).toThrow(
    expect.objectContaining({
      code: 'input-output',
      message: expect.stringContaining('database cannot be written'),
      hint: expect.stringContaining('the database was not started or changed'),
    }),
  )
  rmSync(folder, { recursive: true })
})
