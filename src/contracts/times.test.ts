import { expect, test } from 'vitest'
import type { Context } from '../contract/index.ts'
import { noFutureTimes, valuesAt } from './times.ts'

const now = Date.UTC(2026, 5, 1, 12)
const context = { now } as Context
const found = (value: unknown, ...pointers: string[]) =>
  [...noFutureTimes(...pointers).check(value, context)].map(f => f.path)

test.each([
  ['2026-06-01T12:00:00Z', false],
  ['2026-06-01T12:05:00Z', false],
  ['2026-06-01T12:05:00.001Z', true],
  ['2026-06-01T14:05:00+02:00', false],
  ['2026-06-01T10:05:01-02:00', true],
])('a time is refused when it lies more than five minutes ahead: %s at noon, %j', (at, refused) => {
  expect(found({ at }, '/at')).toEqual(refused ? [['at']] : [])
})

test('every time that a pattern leads to is looked at, and what is not there is passed over', () => {
  const late = '2027-01-01T00:00:00Z'
  const value = { list: [{ at: late }, {}, { at: 5 }], map: { a: { at: late } } }
  expect(found(value, '/list/*/at', '/map/*/at', '/none/at')).toEqual([
    ['list', 0, 'at'],
    ['map', 'a', 'at'],
  ])
  expect([...valuesAt(value, '/map/*')]).toEqual([{ path: ['map', 'a'], value: { at: late } }])
})
