import { plansSchemaOrContract } from './artifacts.ts'
import { type Gate, orderOf, PHASES, type Phase, phaseOf } from './phases.ts'
import type { SessionState } from './schema.ts'

/** What a gate has decided; `undefined` where the state has no gates. */
export function gateState(state: SessionState, gate: Gate): string | undefined {
  return state.Gates?.[gate.key]
}

/** Whether a gate lets the work pass. */
export function passes(state: SessionState, gate: Gate): boolean {
  return gate.passes.includes(gateState(state, gate) ?? '')
}

/**
 * Whether a gate that applies to some tickets only still has to be passed.
 *
 * `not-applicable` settles it, unless the document itself shows what the gate is about: business rules discovery that
 * ran, or a planned schema or contract change.
 */
function isStillRequired(state: SessionState, phase: Phase): boolean {
  const { gate } = phase
  if (!gate || passes(state, gate)) return false
  const applies = phase.id === '5.4' ? discoveredBusinessRules(state) : plansSchemaOrContract(state)
  return applies || gateState(state, gate) !== 'not-applicable'
}

function discoveredBusinessRules({ StateCompression }: SessionState): boolean {
  const phases = StateCompression?.Compressed?.flatMap(({ Phases = [] }) => Phases) ?? []
  return phases.some(phase => String(phase) === '1.5')
}

/** The gates that a move forward passes over although they may not be: those between a phase and a place in the order. */
export function skippedGates(state: SessionState, from: Phase, to: number): Phase[] {
  return PHASES.slice(orderOf(from.id) + 1, Math.max(to, 0)).filter(
    phase => phase.passedOver === 'error' || holds(state, phase),
  )
}

/** Whether the gate of a phase has not let the work pass, although it has to: one that may be left out has when it refused. */
export function holds(state: SessionState, phase: Phase): boolean {
  const { gate, passedOver } = phase
  if (!gate) return false
  if (passedOver === 'allowed') return gateState(state, gate) === gate.refuses
  return passedOver === 'error' ? !passes(state, gate) : isStillRequired(state, phase)
}

/** The first mandatory gate before a phase that has not let the work pass; none while the state has no gates. */
export function openBehind(state: SessionState, from: Phase): Phase | undefined {
  if (!state.Gates) return undefined
  return PHASES.slice(0, orderOf(from.id)).find(phase => holds(state, phase))
}

/** The phases that may come next: back where a gate refused the work or is still open, else on, without passing over a gate. */
export function mayFollow(state: SessionState): Phase[] {
  const from = phaseOf(state)
  if (!from) return []
  const open = openBehind(state, from) ?? from
  const { gate } = open
  const refused = gate?.backTo !== undefined && gateState(state, gate) === gate.refuses
  const ids = refused ? [gate.backTo] : open === from ? from.next : [open.id]
  return PHASES.filter(
    phase => ids.includes(phase.id) && skippedGates(state, from, orderOf(phase.id)).length === 0,
  )
}
