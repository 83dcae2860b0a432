import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestFolder } from '../../../test/test-folder.ts'
import { proveStatement } from './statement.ts'

test.each([
  ['loop', 'ELOOP'],
  ['k'.repeat(300), 'ENAMETOOLONG'],
])('a key that no file can hold is reported as one that cannot be reached: %s', (name, code) => {
  const folder = openTestFolder()
  symlinkSync('loop', join(folder.root, 'loop'))
  const keyFile = join(folder.root, name)
  const prove = () => proveStatement({ by: 'ada', bytes: Buffer.from('x'), keyFile })
  expect(prove).toThrow(`cannot be reached (${code})`)
  folder.remove()
})
