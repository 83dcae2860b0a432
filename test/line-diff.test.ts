import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareLines } from '../scripts/generate/line-diff.ts'

const compare = (left: string, right: string) => {
  const found = compareLines(left.split(''), right.split(''))
  const show = ({ own, adjacent }: (typeof found)['left']) => [[...own], [...adjacent]]
  return { left: show(found.left), right: show(found.right) }
}

test.each([
  ['equal texts differ nowhere', 'abc', 'abc', [[], []], [[], []]],
  ['a changed line is marked on both sides', 'abc', 'axc', [[1], []], [[1], []]],
  ['a missing line marks its neighbours where it is missing', 'abc', 'ac', [[1], []], [[], [0, 1]]],
  ['a line missing at the end marks the last one', 'ab', 'a', [[1], []], [[], [0]]],
  ['an empty text has nothing to mark', '', 'a', [[], []], [[0], []]],
])('%s', (_, left, right, expectedLeft, expectedRight) => {
  const found =
    left === '' ? compareLines([], [right]) : compareLines(left.split(''), right.split(''))
  const show = ({ own, adjacent }: (typeof found)['left']) => [[...own], [...adjacent]]
  expect({ left: show(found.left), right: show(found.right) }).toEqual({
    left: expectedLeft,
    right: expectedRight,
  })
})

test('without the lines that each has of its own, two texts are equal, and no shorter cut is made on one side', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 })
  fc.assert(
    fc.property(text, text, (left, right) => {
      const found = compare(left, right)
      const rest = (words: string, [own = []]: number[][]) =>
        words
          .split('')
          .filter((_, i) => !own.includes(i))
          .join('')
      expect(rest(left, found.left)).toBe(rest(right, found.right))
      expect(left.length - (found.left[0]?.length ?? 0)).toBe(longestCommon(left, right))
    }),
  )
})

/** Slow and plain: the length of the longest common subsequence. */
function longestCommon(left: string, right: string): number {
  if (left === '' || right === '') return 0
  const [a, b] = [left.slice(1), right.slice(1)]
  if (left[0] === right[0]) return 1 + longestCommon(a, b)
  return Math.max(longestCommon(a, right), longestCommon(left, b))
}
