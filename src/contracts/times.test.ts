import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Context } from '../contract/index.ts'
import { formatInstant, parseInstant } from '../document/index.ts'
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
  ['2026-06-01 12:05:01Z', true],
  ['20260601T1206Z', true],
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
  const places = valuesAt(value, '/map/*').map(({ path, value }) => ({ path, value }))
  expect(places).toEqual([{ path: ['map', 'a'], value: { at: late } }])
})

test('what a comparison of texts decides is what the instants say, whatever the text and the clock', () => {
  const clock = fc.oneof(
    fc.integer({ min: Date.UTC(1, 0), max: Date.UTC(9999, 0) }),
    fc.constantFrom(now, now + 0.5, -62_167_219_200_001, 253_402_300_799_999, 1e18, Number.NaN),
  )
  const ending = fc.constantFrom('Z', '.000Z', '.001Z', '.9Z', '+00:00', '-01:00', 'z', '', ' Z')
  const difference = fc.oneof(fc.integer({ min: 299_998, max: 300_002 }), fc.integer())
  fc.assert(
    fc.property(clock, difference, ending, fc.string(), (now, ahead, ending, text) => {
      const shaped = formatInstant((Number.isNaN(now) ? 0 : now) + ahead).slice(0, 19) + ending
      const loose = shaped.replace('T', ' ')
      for (const at of [shaped, loose, text, `${text}Z`, `${shaped}Z`, '0001-01-01T00:00:00Z']) {
        const instant = parseInstant(at)
        const refused = instant !== undefined && !(instant <= now + 300_000)
        const findings = [...noFutureTimes('/at').check({ at }, { now } as Context)]
        expect(findings.length, at).toBe(refused ? 1 : 0)
      }
    }),
    { numRuns: 1000 },
  )
})
