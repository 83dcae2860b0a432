import { expect, test } from 'vitest'
import { cannotWrite } from './fault.ts'

const hintOf = (cause: unknown) => cannotWrite('/log/checkpoint', cause).hint
const refusedAs = (code: string) => Object.assign(new Error(code), { code })

test.each([
  ['ENOSPC', 'make room, and try again'],
  ['EDQUOT', 'have the quota raised'],
  ['EACCES', 'let this account write there'],
  ['EROFS', 'make the file system writable'],
  ['EIO', 'whether the disk is sound'],
  ['EMFILE', 'open more files'],
  ['ENOTDIR', 'mend that, and try again'],
])('of %s is said what helps, and no room is asked for in vain', (code, remedy) => {
  const hint = hintOf(refusedAs(code))
  expect(hint).toContain(remedy)
  if (code !== 'EDQUOT' && code !== 'ENOSPC') expect(hint).not.toContain('room')
})
