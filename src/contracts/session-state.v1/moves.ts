import { plansSchemaOrContract } from './artifacts.ts'
import { type Gate, orderOf, PHASES, type Phase, phaseOf } from './phases.ts'
import type { SessionState } from './schema.ts'

/** The state of a gate; `undefined` if the session state has no gates. */
export function gateState(state: SessionState, gate: Gate): string | undefined {
  return state.Gates?.[gate.key]
}

/** Whether a gate has passed. */
export function passes(state: SessionState, gate: Gate): boolean {
  return gate.passes.includes(gateState(state, gate) ?? '')
}

/**
 * Whether an optional gate still has to pass.
 *
 * `not-applicable` settles it, unless the state contains what the gate covers: discovered business rules, or a planned
 * schema or contract change.
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

/** The mandatory gates that a forward move skips, between a phase and a position in the order. */
export function skippedGates(state: SessionState, from: Phase, to: number): Phase[] {
  return PHASES.slice(orderOf(from.id) + 1, Math.max(to, 0)).filter(
    phase => phase.passedOver === 'error' || holds(state, phase),
  )
}

/** Whether the gate of a phase has to pass and has not; an optional gate counts if it refused. */
export function holds(state: SessionState, phase: Phase): boolean {
  const { gate, passedOver } = phase
  if (!gate) return false
  if (passedOver === 'allowed') return gateState(state, gate) === gate.refuses
  return passedOver === 'error' ? !passes(state, gate) : isStillRequired(state, phase)
}

/** The first mandatory gate before a phase that has not passed; none if the state has no gates. */
export function openBehind(state: SessionState, from: Phase): Phase | undefined {
  if (!state.Gates) return undefined
  return PHASES.slice(0, orderOf(from.id)).find(phase => holds(state, phase))
}

/** The phases that may come next: back if a gate refused or is open, otherwise forward without skipping a gate. */
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
