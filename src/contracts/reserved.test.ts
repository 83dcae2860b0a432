import { expect, test } from 'vitest'
import { whyReserved } from './reserved.ts'

test.each([
  '.git',
  '.git/config',
  '.GIT/x',
  'a/.git/hooks/post-checkout',
  'a/../.git/config',
  '.\\.git\\config',
  '.git./config',
  '.git . /config',
  '.git::$INDEX_ALLOCATION/config',
  'GIT~1/config',
  '.g\u200cit/config',
  '.waybill/keys/origin',
  '.Waybill/ledger',
  'WAYBIL~1/keys',
])('%s is reserved, whatever its spelling', path => {
  expect(whyReserved(path)).toMatch(/^is in the folder of (Git|Waybill)$/)
})

test.each([
  'contexts/a.json',
  '.git/../contexts/a.json',
  '.github/a.json',
  '.gitignore',
  'waybill/git/a.json',
  '...',
])('%s may be one', path => {
  expect(whyReserved(path)).toBeUndefined()
})
