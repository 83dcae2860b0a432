import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseNext } from './next.ts'

test.each([
  ['Phase2-RepoDiscovery', '2', true],
  ['Phase2.1-DecisionPack', '2.1', true],
  ['Phase1.1-Bootstrap', '1.1', true],
  ['Phase3B-1-LogicalValidation', '3B-1', true],
  ['Phase5-3', '5', true],
  ['Phase5.3-TestQualityGate', '5.3', true],
  ['Phase6', '6', false],
  ['Phase6-', '6', false],
  ['Phase6--', '6', false],
  ['phase 6: write the code', '6', false],
  [' Phase6-Implementation', '6', false],
  ['PHASE_3a-Inventory', '3A', false],
])('%j points to phase %s', (next, id, exact) => {
  expect(parseNext(next)).toMatchObject({ kind: 'phase', phase: { id }, exact })
})

test.each([
  ['PR-Ready', true],
  ['pr ready', false],
  ['PR-Ready now', false],
])('%j points to a pull request', (next, exact) => {
  expect(parseNext(next)).toEqual({ kind: 'pull-request', exact })
})

test.each([
  ['BLOCKED-consumer inventory', 'consumer inventory'],
  ['BLOCKED', ''],
  ['BLOCKED-', ''],
  ['BLOCKED- --', ''],
  ['BLOCKED-<reason>', ''],
])('%j is blocked for %j', (next, reason) => {
  expect(parseNext(next)).toEqual({ kind: 'blocked', reason })
})

test.each([
  '',
  'TicketExecution',
  'Phase7-Release',
  'Phase6.1-Fix',
  'Phase61',
  'BLOCKED: x',
  'blocked-x',
  'PR-Readyish',
])('%j points to nothing that is known', next => {
  expect(parseNext(next)).toEqual({ kind: 'unknown' })
})

test('any text is read, and a phase is exact only if it is written back the same', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      const pointer = parseNext(text)
      if (pointer.kind === 'phase' && pointer.exact) {
        expect(text.startsWith(`Phase${pointer.phase.id}-`)).toBe(true)
      }
    }),
  )
})
