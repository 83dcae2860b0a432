import { expect, test } from 'vitest'
import { Unanswered } from './unanswered.ts'

test('facts that are missing for the same reason are reported together, others apart', () => {
  const unanswered = new Unanswered()
  const away = { missing: 'no folder', hint: 'make one' }
  const place = { fact: 'place', why: away }
  unanswered.add('one', [{ fact: 'files', why: away }])
  unanswered.add('two', [{ fact: 'files', why: away }, place])
  unanswered.add('three', [{ fact: 'other', why: { missing: 'no other' } }])
  expect(unanswered.findings()).toEqual([
    {
      path: [],
      message: 'not checked: no folder',
      hint: 'make one; one and two need the files, two needs the place',
    },
    { path: [], message: 'not checked: no other', hint: 'supply it; three needs the other' },
  ])
})
