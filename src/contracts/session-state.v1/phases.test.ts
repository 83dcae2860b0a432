import { describe, expect, test } from 'vitest'
import { AFTER_ALL, GATES, hasReached, orderOf, PHASES, phaseOf } from './phases.ts'

test('the order is the ruled one', () => {
  expect(PHASES.map(phase => phase.id).join(' ')).toBe(
    '1 1.1 2 2.1 1.2 1.5 3A 3B-1 3B-2 1.3 4 5 5.3 5.4 5.5 5.6 6',
  )
  expect(AFTER_ALL).toBe(orderOf('6') + 1)
})

test('every phase leads on only to later ones, and every phase but the first is led to', () => {
  const reached = new Set(['1'])
  for (const { id, next } of PHASES) {
    for (const follower of next) {
      expect(orderOf(follower)).toBeGreaterThan(orderOf(id))
      reached.add(follower)
    }
  }
  expect(reached).toEqual(new Set(PHASES.map(phase => phase.id)))
})

test('a step of the table passes over no phase that a rule would complain of without a look at the document', () => {
  for (const { id, next } of PHASES) {
    for (const follower of next) {
      const between = PHASES.slice(orderOf(id) + 1, orderOf(follower))
      expect(between.filter(p => p.passedOver === 'warning' || p.passedOver === 'error')).toEqual(
        [],
      )
    }
  }
})

describe.each(GATES.map(gate => [gate.key, gate] as const))('the gate %s', (_, gate) => {
  test('begins as pending, and knows every state that it names', () => {
    expect(gate.states[0]).toBe('pending')
    const named = [
      gate.refuses,
      ...gate.passes,
      ...(gate.forCode ?? []),
      ...(gate.whenPlanned ?? []),
    ]
    expect(named.filter(state => !gate.states.includes(state))).toEqual([])
    expect(gate.passes).not.toContain(gate.refuses)
  })
})

test.each([
  [5.3, '5.3'],
  ['5.3', '5.3'],
  [1, '1'],
  ['1.1-Bootstrap', '1.1'],
  ['3B-1', '3B-1'],
])('the phase %s is %s', (Phase, id) => {
  expect(phaseOf({ Phase })?.id).toBe(id)
})

test.each(['1.1', '5.30', 'toString', ''])('%j is no phase, and reaches none', Phase => {
  expect(phaseOf({ Phase })).toBeUndefined()
  expect(hasReached({ Phase }, '1')).toBe(false)
})
