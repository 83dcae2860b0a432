import { describe, expect, test } from 'vitest'
import { classifyStaleness, type Drift } from './handoff-staleness.ts'

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
})

test('a time ahead of the clock is called that', () => {
  expect(classifyStaleness(-90_000).reason).toBe('written 90 seconds ahead of this clock')
})

describe('drift', () => {
  test.each<[string, Drift, string, string]>([
    ['nothing changed', unchanged, 'fresh', 'age'],
    ['1 commit', { ...unchanged, commits: 1 }, 'slightly stale', 'commits'],
    ['4 commits', { ...unchanged, commits: 4 }, 'slightly stale', 'commits'],
    ['5 commits', { ...unchanged, commits: 5 }, 'stale', 'commits'],
    ['19 commits', { ...unchanged, commits: 19 }, 'stale', 'commits'],
    ['20 commits', { ...unchanged, commits: 20 }, 'very stale', 'commits'],
    ['9 files', { ...unchanged, files: 9 }, 'fresh', 'age'],
    ['10 files', { ...unchanged, files: 10 }, 'stale', 'files'],
    ['49 files', { ...unchanged, files: 49 }, 'stale', 'files'],
    ['50 files', { ...unchanged, files: 50 }, 'very stale', 'files'],
    ['a branch that is gone', { ...unchanged, branch: 'gone' }, 'stale', 'branch'],
    ['a branch that diverged', { ...unchanged, branch: 'diverged' }, 'stale', 'branch'],
    ['an unknown history', { unknown: 'a shallow clone' }, 'slightly stale', 'drift'],
  ])('%s after an hour', (_, drift, staleness, factor) => {
    expect(classifyStaleness(HOUR, drift)).toMatchObject({ staleness, factor })
  })

  test.each<[string, number, Drift, string]>([
    ['a worse age', 168 * HOUR, { commits: 6, files: 12, branch: 'gone' }, 'written 7 days ago'],
    [
      'worse commits',
      80 * HOUR,
      { commits: 25, files: 12, branch: 'present' },
      '25 commits since it was written',
    ],
    [
      'worse files',
      80 * HOUR,
      { commits: 1, files: 50, branch: 'gone' },
      '50 files changed since it was written',
    ],
    ['a worse branch', 30 * HOUR, { commits: 1, files: 1, branch: 'gone' }, 'its branch is gone'],
    [
      'the first of equals',
      80 * HOUR,
      { commits: 6, files: 12, branch: 'gone' },
      'written 3 days ago',
    ],
    ['age over an unknown history', 80 * HOUR, { unknown: 'no Git' }, 'written 3 days ago'],
  ])('%s decides and is named', (_, age, drift, reason) => {
    expect(classifyStaleness(age, drift).reason).toBe(reason)
  })
})
