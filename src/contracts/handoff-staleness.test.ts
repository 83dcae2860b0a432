import { describe, expect, test } from 'vitest'
import { changesSince, classifyStaleness, type Drift } from './handoff-staleness.ts'

const HOUR = 3_600_000
const unchanged = { commits: 0, files: 0, branch: 'present' } as const

describe('age', () => {
  test.each([
    [-90_000, 'fresh'],
    [0, 'fresh'],
    [24 * HOUR - 1, 'fresh'],
    [24 * HOUR, 'slightly stale'],
    [72 * HOUR - 1, 'slightly stale'],
    [72 * HOUR, 'stale'],
    [168 * HOUR - 1, 'stale'],
    [168 * HOUR, 'very stale'],
  ])('an age of %d ms is %s', (age, staleness) => {
    expect(classifyStaleness(age)).toMatchObject({ staleness, factor: 'age' })
  })

  test('counts by the limits that are given', () => {
    const classes = [1, 2, 4, 8].map(age => classifyStaleness(age, [2, 4, 8]).staleness)
    expect(classes).toEqual(['fresh', 'slightly stale', 'stale', 'very stale'])
  })
})

test('a time ahead of the clock is called that', () => {
  expect(classifyStaleness(-90_000).reason).toBe('written 90 seconds ahead of this clock')
})

test.each<[Drift, string | undefined]>([
  [unchanged, undefined],
  [{ ...unchanged, commits: 1, files: 2 }, '1 commit changed 2 files since it was written'],
  [{ ...unchanged, branch: 'merged' }, 'its branch was merged'],
  [
    { commits: 25, files: 1, branch: 'gone' },
    '25 commits changed 1 file since it was written; its branch is gone',
  ],
  [{ unknown: 'a shallow clone' }, 'changes since it was written are unknown (a shallow clone)'],
])('the changes %j read %j', (drift, words) => {
  expect(changesSince(drift)).toBe(words)
})
