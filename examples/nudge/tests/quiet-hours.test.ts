import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { outsideQuietHours } from '../src/quiet-hours.ts'

const LISBON = 'Europe/Lisbon'

function sent(planned: string, appointment: string, zone = LISBON): string {
  return outsideQuietHours(new Date(planned), new Date(appointment), zone).toISOString()
}

test('a reminder by day goes out as planned', () => {
  equal(sent('2026-03-04T14:05:20Z', '2026-03-05T14:00:00Z'), '2026-03-04T14:05:20.000Z')
})

test('one at night waits for the morning', () => {
  equal(sent('2026-03-04T02:40:00Z', '2026-03-04T15:00:00Z'), '2026-03-04T08:00:00.000Z')
})

test('one for an early appointment goes out the evening before', () => {
  equal(sent('2026-03-04T02:40:00Z', '2026-03-04T09:30:00Z'), '2026-03-03T20:59:00.000Z')
})

test('the clock is that of the recipient, wherever the clinic is', () => {
  equal(
    sent('2026-03-04T20:30:00Z', '2026-03-05T15:00:00Z', 'Europe/Athens'),
    '2026-03-05T06:00:00.000Z',
  )
})

test('the night on which the clocks change ends at eight all the same', () => {
  equal(sent('2026-03-29T00:30:00Z', '2026-03-29T15:00:00Z'), '2026-03-29T07:00:00.000Z')
})
