import { expect, test } from 'vitest'
import { cannotWrite } from './fault.ts'

const hintOf = (cause: unknown) => cannotWrite('/log/checkpoint', cause).hint
const refusedAs = (code: string) => Object.assign(new Error(code), { code })

test.each([
  ['ENOSPC', 'free disk space, and try again'],
  ['EDQUOT', 'raise the quota'],
  ['EACCES', 'give this account write permission'],
  ['EROFS', 'make the file system writable'],
  ['EIO', 'check the disk'],
  ['EMFILE', 'limit of open files'],
  ['ENOTDIR', 'fix the cause, and try again'],
])('of %s is said what helps, and no room is asked for in vain', (code, remedy) => {
  const hint = hintOf(refusedAs(code))
  expect(hint).toContain(remedy)
  if (code !== 'EDQUOT' && code !== 'ENOSPC') expect(hint).not.toContain('disk space')
})
