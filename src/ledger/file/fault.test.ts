import { closeSync, openSync, writeSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cannotWrite } from './fault.ts'

const hintOf = (cause: unknown) => cannotWrite('/log/checkpoint', cause).hint
const refusedAs = (code: string) => Object.assign(new Error(code), { code })

test('of a full disk room is asked for', () => {
  const full = openSync('/dev/full', 'w')
  let cause: unknown
  try {
    writeSync(full, 'x')
  } catch (error) {
    cause = error
  }
  closeSync(full)
  expect(hintOf(cause)).toContain('make room, and try again')
})

test.each([
  ['EDQUOT', 'have the quota raised'],
  ['EACCES', 'let this account write there'],
  ['EROFS', 'make the file system writable'],
  ['EIO', 'whether the disk is sound'],
  ['EMFILE', 'open more files'],
  ['ENOTDIR', 'mend that, and try again'],
])('of %s is said what helps, and no room is asked for in vain', (code, remedy) => {
  const hint = hintOf(refusedAs(code))
  expect(hint).toContain(remedy)
  if (code !== 'EDQUOT') expect(hint).not.toContain('room')
})
