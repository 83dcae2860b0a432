import { expect, test } from 'vitest'
import { mayFollow } from './moves.ts'
import type { SessionState } from './schema.ts'

const OPEN = {
  'P5-Architecture': 'pending',
  'P5.3-TestQuality': 'pending',
  'P5.4-BusinessRules': 'pending',
  'P5.5-TechnicalDebt': 'pending',
  'P5.6-RollbackSafety': 'pending',
  'P6-ImplementationQA': 'pending',
}
const state = (Phase: string | number, gates: object = {}, more: object = {}): SessionState => ({
  Phase,
  Gates: { ...OPEN, ...gates },
  ...more,
})
/** What has passed once a session is in phase 5.3. */
const AGREED = { 'P5-Architecture': 'approved' }
const after = (s: SessionState) => mayFollow(s).map(phase => phase.id)

test.each([
  ['the first phase may leave bootstrap out', state('1'), ['1.1', '2']],
  [
    'after profile detection the optional phases may be left out',
    state('1.2-ProfileDetection'),
    ['1.5', '3A', '1.3'],
  ],
  ['the API inventory may go straight to the core rules', state('3A'), ['3B-1', '1.3']],
  ['planning leads to the architecture gate alone', state(4), ['5']],
  [
    'a rejected architecture goes back to planning',
    state(5, { 'P5-Architecture': 'rejected' }),
    ['4'],
  ],
  [
    'a failed test quality gate goes back to planning',
    state(5.3, { ...AGREED, 'P5.3-TestQuality': 'fail' }),
    ['4'],
  ],
  ['an open business rules gate comes before everything else', state(5.3, AGREED), ['5.4']],
  [
    'an open rollback gate comes before implementation',
    state(5.3, { ...AGREED, 'P5.4-BusinessRules': 'not-applicable' }),
    ['5.4', '5.5', '5.6'],
  ],
  [
    'gates that do not apply may be passed over',
    state(5.3, {
      ...AGREED,
      'P5.4-BusinessRules': 'not-applicable',
      'P5.6-RollbackSafety': 'not-applicable',
    }),
    ['5.4', '5.5', '5.6', '6'],
  ],
  [
    'a gate does apply when the document shows what it is about',
    state(
      5.3,
      {
        ...AGREED,
        'P5.4-BusinessRules': 'not-applicable',
        'P5.6-RollbackSafety': 'not-applicable',
      },
      {
        StateCompression: { Applied: true, Compressed: [{ Phases: [1.5] }] },
        TouchedSurface: { SchemaPlanned: ['V12.sql'] },
      },
    ),
    ['5.4'],
  ],
  [
    'a gate that has passed need not be visited again',
    state(5.3, { ...AGREED, 'P5.4-BusinessRules': 'compliant', 'P5.6-RollbackSafety': 'approved' }),
    ['5.4', '5.5', '5.6', '6'],
  ],
  ['a gate that was left open comes before the next phase', state(5.5), ['5']],
  [
    'a rejection that was left behind goes back to planning',
    state(5.5, { 'P5-Architecture': 'rejected' }),
    ['4'],
  ],
  [
    'nothing follows the last phase',
    state(6, {
      ...AGREED,
      'P5.3-TestQuality': 'pass',
      'P5.4-BusinessRules': 'not-applicable',
      'P5.6-RollbackSafety': 'not-applicable',
    }),
    [],
  ],
  ['nothing follows a phase that does not exist', state('7'), []],
])('%s', (_, from, expected) => {
  expect(after(from)).toEqual(expected)
})
