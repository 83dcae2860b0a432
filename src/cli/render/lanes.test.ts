import { expect, test } from 'vitest'
import { drawLanes } from './lanes.ts'

const draw = (...links: readonly string[]) =>
  drawLanes(
    links.map(link => {
      const [id = '', before] = link.split('<')
      return { id, before: before ?? null }
    }),
    () => '●',
  )

test.each([
  ['a chain is one line', ['a', 'b<a', 'c<b'], ['●', '●', '●']],
  [
    'a fork branches off to the right, and its last line goes straight down',
    ['a', 'b<a', 'c<a', 'd<b', 'e<c'],
    ['●', '├─●', '● │', '│ ●', '●'],
  ],
  [
    'branches that end at once take no room',
    ['a', 'b<a', 'c<a', 'd<a', 'e<a'],
    ['●', '├─●', '├─●', '├─●', '●'],
  ],
  [
    'a branch crosses the lines between',
    ['a', 'b<a', 'c<a', 'd<a', 'e<b', 'f<c', 'g<d'],
    ['●', '├─●', '├─┼─●', '● │ │', '│ ● │', '│   ●', '●'],
  ],
  [
    'a free column to the left is taken',
    ['x', 'a', 'y<x', 'b<a', 'c<b', 'd<a'],
    ['●', '│ ●', '● │', '●─┤', '● │', '  ●'],
  ],
  ['what comes before its predecessor is drawn without a line', ['b<a', 'a'], ['●', '●']],
])('%s', (_, links, rows) => {
  expect(draw(...links).map(({ drawn }) => drawn)).toEqual(rows)
})

test('more lines than anyone can follow are said in words', () => {
  const many = Array.from({ length: 40 }, (_, i) => `b${i}`)
  const lanes = draw('a', ...many.map(b => `${b}<a`), ...many.map(b => `c${b}<${b}`))
  expect(Math.max(...lanes.map(({ drawn }) => drawn.length))).toBeLessThan(26)
  expect(lanes.filter(({ linked }) => !linked).length).toBeGreaterThan(20)
})
