import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { nextAttempt } from '../src/retry-queue.ts'

const appointment = new Date('2026-03-05T15:00:00Z')
const waiting = { appointment, zone: 'Europe/Lisbon', attempts: 0 }

test('by day a failed reminder is tried again after five minutes', () => {
  const next = nextAttempt(new Date('2026-03-04T14:00:00Z'), waiting)
  equal(next?.toISOString(), '2026-03-04T14:05:00.000Z')
})

test('at night it waits for the morning', () => {
  const next = nextAttempt(new Date('2026-03-04T23:00:00Z'), waiting)
  equal(next?.toISOString(), '2026-03-05T08:00:00.000Z')
})

test('a night before an early appointment has no attempt left', () => {
  const early = { ...waiting, appointment: new Date('2026-03-05T09:00:00Z') }
  equal(nextAttempt(new Date('2026-03-05T01:00:00Z'), early), undefined)
})

test('after six attempts nobody is bothered any more', () => {
  equal(nextAttempt(new Date('2026-03-04T14:00:00Z'), { ...waiting, attempts: 6 }), undefined)
})
