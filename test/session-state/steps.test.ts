import { describe, expect, test } from 'vitest'
import { decideAdvance } from '../../src/contracts/session-state.v1/acts/advance.ts'
import { stepsAfter } from '../../src/contracts/session-state.v1/acts/following.ts'
import { parseNext, pointerTo } from '../../src/contracts/session-state.v1/next.ts'
import {
  hasReached,
  orderOf,
  PHASES,
  type Phase,
} from '../../src/contracts/session-state.v1/phases.ts'
import type { SessionState } from '../../src/contracts/session-state.v1/schema.ts'
import { ALL_GATES, basis, MANNERS, stateOf } from './ground.ts'
import { mayGoByThePage, stepsByThePage, type Ticket } from './order.ts'

// Compares every single move with the printed order: what is allowed has to be, and nothing else.

const TICKETS: readonly [about: string, Ticket][] = [
  ['that changes no schema', { planned: false, discovered: false }],
  ['that changes a schema', { planned: true, discovered: false }],
  ['with business rules', { planned: false, discovered: true }],
  ['that changes a schema, with business rules', { planned: true, discovered: true }],
]
const partsOf = ({ planned, discovered }: Ticket) => ({
  TouchedSurface: { SchemaPlanned: planned ? ['V1.sql'] : [] },
  ...(discovered && { StateCompression: { Compressed: [{ Phases: ['1.5'] }] } }),
})
/** What the last gate says opens no way that leads to it. */
const GATES_BEFORE_CODE = ALL_GATES.filter(gates => gates['P6-ImplementationQA'] === 'pending')
const SURE = { Mode: 'NORMAL', ConfidenceLevel: 70 } as const

function* statesIn(phase: Phase, ticket: Ticket, every = 1): Generator<SessionState> {
  const parts = { ...partsOf(ticket), ...SURE, Phase: phase.written, Next: pointerTo(phase) }
  for (const [i, Gates] of GATES_BEFORE_CODE.entries())
    if (i % every === 0) yield stateOf({ ...parts, Gates }, {})
}

/** Every move forward; before the gates, where none of them helps, from a few of their states. */
function* forwardMoves(ticket: Ticket) {
  for (const from of PHASES) {
    const reaches = (id: Phase['id']) => hasReached({ Phase: from.written }, id)
    for (const state of statesIn(from, ticket, reaches('5') ? 1 : 97))
      for (const { id: to } of PHASES.slice(orderOf(from.id) + 1)) {
        // Before discovery there is no profile, and without one nothing leads that far.
        if (reaches('2.1') || orderOf(to) <= orderOf('1.2')) yield { state, from, to }
      }
  }
}

const spelled = ({ Phase, Mode, ConfidenceLevel, Gates }: SessionState) =>
  [Phase, Mode, ConfidenceLevel, ...Object.values(Gates ?? {})].join()

describe.each(TICKETS)('a ticket %s', (_, ticket) => {
  test('the steps that may follow are those of the printed order', () => {
    const wrong: string[] = []
    for (const phase of PHASES)
      for (const state of statesIn(phase, ticket)) {
        const pointers = stepsAfter(state).map(step => parseNext(step))
        const found = pointers.flatMap(read => (read.kind === 'phase' ? [read.phase.id] : []))
        const expected = stepsByThePage(phase.id, state.Gates as never, ticket)
        if (found.sort().join() !== expected.sort().join())
          wrong.push(`${found} instead of ${expected} in ${spelled(state)}`)
      }
    expect(wrong.slice(0, 3)).toEqual([])
  })

  test('a move forward is made when the printed order lets it, and only then', () => {
    const moves = [...forwardMoves(ticket)].map(({ state, from, to }) => ({
      move: `${spelled(state)} to ${to}`,
      accepted: decideAdvance(basis, state, { to }).accepted,
      expected: mayGoByThePage({ ...state, Phase: from.id }, to, ticket),
    }))
    expect(moves.filter(move => move.accepted !== move.expected).slice(0, 3)).toEqual([])
    expect(moves.filter(({ accepted }) => accepted).length).toBeGreaterThan(100)
  })

  test('below 70 and while blocked nothing goes forward or names a further step; back it goes always', () => {
    const wrong: string[] = []
    for (const manner of MANNERS)
      for (const from of PHASES)
        for (const state of statesIn(from, ticket, 97)) {
          const now = {
            ...state,
            ...manner,
            ...(manner.Mode === 'BLOCKED' && { Next: 'BLOCKED-owner' }),
          }
          wrong.push(...wrongIn(now, from))
        }
    expect(wrong.slice(0, 3)).toEqual([])
  })
})

function wrongIn(state: SessionState, from: Phase): string[] {
  const isStill = state.Mode === 'BLOCKED' || (state.ConfidenceLevel ?? 0) < 70
  const blocked = decideAdvance(basis, state, { blocked: 'the owner' })
  if (!blocked.accepted && state.Mode !== 'BLOCKED') return [`no block in ${spelled(state)}`]
  return PHASES.flatMap(to => {
    const way = orderOf(to.id) - orderOf(from.id)
    const { accepted } = decideAdvance(basis, state, { to: to.id })
    if (way < 0) return accepted ? [] : [`not back to ${to.id} in ${spelled(state)}`]
    if (way === 0 || !isStill) return []
    const named = decideAdvance(basis, state, { to: from.id, next: pointerTo(to) }).accepted
    return accepted || named ? [`on to ${to.id} in ${spelled(state)}`] : []
  })
}
