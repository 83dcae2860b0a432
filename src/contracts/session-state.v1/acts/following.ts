import { mayFollow, passes } from '../moves.ts'
import { parseNext, pointerTo } from '../next.ts'
import { type Phase, phaseOf } from '../phases.ts'
import type { SessionState } from '../schema.ts'
import { type Basis, errorsOfNext } from './objections.ts'

const READY = 'PR-Ready'

/**
 * The value of `Next` after a move: the first allowed step that is not settled yet.
 *
 * Optional phases are included; gates that passed or do not apply are skipped. If an open gate allows no step, `Next`
 * stays with the phase.
 */
export function nextAfter(basis: Basis, state: SessionState): string {
  const from = phaseOf(state)
  if (!from) return state.Next ?? ''
  const steps = stepsAfter(state)
  return steps.find(step => errorsOfNext(basis, state, step).length === 0) ?? pointerTo(from)
}

/** The steps that the table allows next, unsettled ones first. */
export function stepsAfter(state: SessionState): string[] {
  if (phaseOf(state)?.id === '6' && mayFollow(state).length === 0) return [READY]
  const phases = mayFollow(state)
  const open = phases.filter(phase => !isSettled(state, phase))
  return [...open, ...phases.filter(phase => !open.includes(phase))].map(pointerTo)
}

function isSettled(state: SessionState, { gate }: Phase): boolean {
  if (!gate) return false
  return passes(state, gate) || state.Gates?.[gate.key] === 'not-applicable'
}

/** Whether `Next` may stay as it is: it names another phase that is not settled, and no rule objects. */
export function keepsNext(basis: Basis, state: SessionState): boolean {
  const next = state.Next ?? ''
  const pointer = parseNext(next)
  if (pointer.kind !== 'phase' && pointer.kind !== 'pull-request') return false
  if (pointer.kind === 'phase') {
    if (pointer.phase === phaseOf(state) || isSettled(state, pointer.phase)) return false
  }
  return errorsOfNext(basis, state, next).length === 0
}
