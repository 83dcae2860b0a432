import type { Fields } from '../../../contract/index.ts'
import { listed, quote } from '../../../contract/index.ts'
import type { Path } from '../../../document/index.ts'
import { ENOUGH } from '../confidence-scale.ts'
import type { FoundProfile } from '../initial.ts'
import { gateState, holds } from '../moves.ts'
import { parseNext, pointerTo } from '../next.ts'
import { orderOf, PHASES, type Phase, type PhaseId, phaseOf } from '../phases.ts'
import type { SessionState } from '../schema.ts'
import {
  blockedAt,
  modeAfterBlock,
  objectionToLeaving,
  objectionToRenaming,
  type Waiting,
  writtenInFull,
} from './block.ts'
import { broughtTo, consequencesOf } from './consequences.ts'
import { keepsNext, nextAfter } from './following.ts'
import {
  added,
  against,
  ask,
  type Basis,
  type Decision,
  errorsIn,
  errorsOfNext,
  type Objection,
  once,
  type StateChange,
} from './objections.ts'
import type { Artifacts } from './shown.ts'

/** The requested move; by default the session moves to where `Next` points. */
export interface Wish {
  readonly to?: PhaseId
  readonly next?: string
  readonly mode?: string
  /** The input that the session waits for from now on. */
  readonly blocked?: string
  /** What the gate of the target phase is shown. */
  readonly artifacts?: Artifacts
  /** Looks for the profile and the rulebooks when the session reaches the phases that need them. */
  readonly find?: () => FoundProfile
}

/** Decides on a move of a structurally valid state, and returns the resulting changes. */
export function decideAdvance(
  basis: Basis,
  sound: Fields,
  wish: Wish,
  waiting?: Waiting,
): Decision {
  const state = sound as SessionState
  const from = phaseOf(state)
  const target = from && targetOf(state, from, wish)
  if (!from || !target || 'code' in target) {
    const objections = target && 'code' in target ? [target] : [unknownPhase(state)]
    return { accepted: false, objections, changes: [], after: state, leadsOn: true }
  }
  const move = planMove(basis, state, { from, to: target, wish })
  const all = errorsIn(basis, move.after, state)
  const leadsOn = move.forward || move.leaving || move.onward
  const objections = forMoves(
    once([
      ...objectionsToGoing(basis, state, move, waiting),
      ...(leadsOn ? all : added(all, () => errorsIn(basis, state))),
    ]),
    target,
  )
  const accepted = !objections.some(({ severity }) => severity === 'error')
  return { accepted, objections, changes: move.changes, after: move.after, leadsOn }
}

/** Drops objections that follow from others, and names the command that helps. */
function forMoves(objections: readonly Objection[], { id, gate }: Phase): Objection[] {
  const violates = (rule: string) => objections.some(({ code }) => code === `session-state/${rule}`)
  const implied = [
    // Listing what the gate requires makes the state full.
    ...(violates('gate-has-artifacts') ? ['session-state/full-when-required'] : []),
    ...(violates('blocked-left-with-input') ? ['session-state/missing-artifact-blocks'] : []),
    ...(violates('no-advance-below-70') ? ['session-state/no-move-below-70'] : []),
  ]
  const others = objections.some(({ path, severity }) => severity === 'error' && !isPhase(path))
  return objections
    .filter(({ code, path }) => !implied.includes(code) && !(others && isRepeated(code, path)))
    .map(objection => {
      if (!gate || objection.code !== 'session-state/gate-has-artifacts') return objection
      const act = `waybill state advance --to ${id} --artifact ${gate.shown}=present`
      const otherwise = gate.states.includes('not-applicable')
        ? `; if the gate does not apply: waybill state gate ${id} not-applicable`
        : ''
      return { ...objection, hint: `name what the gate is shown, such as: ${act}${otherwise}` }
    })
}

/** The transition rule repeats an objection about the gate itself. */
const isRepeated = (code: string, path: Path) =>
  code === 'session-state/move-skips-no-gate' && isPhase(path)

const isPhase = (path: Path) => path[0] === 'Phase'

interface Move {
  readonly from: Phase
  readonly to: Phase
  readonly forward: boolean
  readonly leaving: boolean
  /** The session stays in its phase, and `Next` leads past it. */
  readonly onward: boolean
  readonly artifacts: Artifacts | undefined
  readonly changes: readonly StateChange[]
  readonly after: SessionState
}

interface Plan {
  readonly from: Phase
  readonly to: Phase
  readonly wish: Wish
}

/** The target phase: the requested one, else the one in `Next`; blocking and unblocking stay in the phase. */
function targetOf(state: SessionState, from: Phase, { to, blocked }: Wish): Phase | Objection {
  if (to !== undefined) return PHASES.find(({ id }) => id === to) ?? unknownPhase(state)
  if (blocked !== undefined || state.Mode === 'BLOCKED') return from
  if (state.Next === undefined) return PHASES[orderOf(from.id) + 1] ?? from
  const pointer = parseNext(state.Next)
  switch (pointer.kind) {
    case 'phase':
      return pointer.phase
    case 'pull-request':
      return against(
        'next-names-step',
        ['Next'],
        'the work is ready for a pull request, the last step',
        'open the pull request, or go back to plan again: --to 4',
      )
    case 'blocked':
      return against(
        'blocked-next-has-mode',
        ['Next'],
        `${quote(state.Next)} waits for an input, but the mode is ${state.Mode ?? 'missing'}`,
        `name the input with --blocked, or the target phase with --to`,
      )
    case 'unknown':
      return against(
        'next-names-step',
        ['Next'],
        `${quote(state.Next)} names no step`,
        `name the target phase with --to, such as --to ${from.next[0] ?? '4'}`,
      )
  }
}

function unknownPhase({ Phase }: SessionState): Objection {
  return against('keys-for-phase', ['Phase'], `there is no phase ${quote(Phase)}`, 'name a phase')
}

function planMove(basis: Basis, state: SessionState, { from, to, wish }: Plan): Move {
  const forward = orderOf(to.id) > orderOf(from.id)
  const back = orderOf(to.id) < orderOf(from.id)
  const wasBlocked = state.Mode === 'BLOCKED'
  const stays = wish.blocked === undefined && wish.mode === undefined && wasBlocked && back
  const mode =
    wish.blocked !== undefined
      ? 'BLOCKED'
      : (wish.mode ?? (wasBlocked && !stays ? modeAfterBlock(state) : state.Mode))
  const changes: StateChange[] = []
  if (to !== from) changes.push({ path: ['Phase'], value: to.written })
  if (mode !== undefined && mode !== state.Mode) changes.push({ path: ['Mode'], value: mode })
  changes.push(...consequencesOf(state, { from, to, mode }))
  changes.push(...broughtTo(to, state, { ...wish, mode }))
  if (wish.blocked !== undefined) changes.push(...writtenInFull(state, wish.blocked))
  const moved = apply(state, changes)
  const next = nextOf(basis, state, moved, { from, to, wish })
  if (next !== state.Next) changes.push({ path: ['Next'], value: next })
  const after = next === state.Next ? moved : { ...moved, Next: next }
  const leaving = wasBlocked && mode !== 'BLOCKED'
  const onward = to === from && next !== state.Next && leadsPast(next, from)
  return { from, to, forward, leaving, onward, artifacts: wish.artifacts, changes, after }
}

function nextOf(
  basis: Basis,
  state: SessionState,
  moved: SessionState,
  { from, to, wish }: Plan,
): string {
  if (wish.blocked !== undefined) return blockedAt(wish.blocked)
  if (wish.next !== undefined) return wish.next
  if (moved.Mode === 'BLOCKED' && state.Next !== undefined) return state.Next
  if (to === from && state.Next !== undefined && keepsNext(basis, moved)) return state.Next
  return nextAfter(basis, moved)
}

/** The state with changes of its keys, and of keys one level below. */
export function apply(state: SessionState, changes: readonly StateChange[]): SessionState {
  const after: Record<string, unknown> = { ...state }
  for (const { path, value } of changes) set(after, path.map(String), value)
  return after as unknown as SessionState
}

function set(into: Record<string, unknown>, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    into[key] = value
    return
  }
  const part = Object.hasOwn(into, key) ? into[key] : undefined
  const copy = Array.isArray(part) ? [...part] : { ...(part as object | undefined) }
  set(copy as Record<string, unknown>, rest, value)
  into[key] = copy
}

function objectionsToGoing(
  basis: Basis,
  state: SessionState,
  move: Move,
  waiting: Waiting | undefined,
): Objection[] {
  const { forward, leaving, onward, from, to, after } = move
  const objections: Objection[] = []
  if (leaving) objections.push(...listOf(objectionToLeaving(after, state, waiting)))
  else if (state.Mode === 'BLOCKED')
    objections.push(...listOf(objectionToRenaming(state, after, waiting)))
  const held = (forward || (onward && !leaving)) && holds(after, from)
  if (held) objections.push(inTheWay(after, from))
  // Continuing in the same phase is allowed; it is how the confidence rises.
  if (forward || (onward && !leaving)) objections.push(...listOf(tooUnsure(state)))
  if (forward) {
    // `Next` must be valid for the current phase.
    const standing = { ...state, ...(after.Mode !== undefined && { Mode: after.Mode }) }
    const Next = pointerTo(to)
    objections.push(...errorsOfNext(basis, standing, Next))
    objections.push(...ask(basis, 'next-keeps-order', { ...standing, Next }))
  }
  if (move.artifacts && !to.gate) objections.push(noGate(to))
  if (move.changes.length === 0) objections.push(inTheWay(state, from))
  return objections
}

const listOf = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value])

function leadsPast(next: string, from: Phase): boolean {
  const pointer = parseNext(next)
  if (pointer.kind === 'phase') return orderOf(pointer.phase.id) > orderOf(from.id)
  return pointer.kind === 'pull-request'
}

function tooUnsure({ ConfidenceLevel }: SessionState): Objection | undefined {
  if (ConfidenceLevel === undefined || ConfidenceLevel >= ENOUGH) return undefined
  return against(
    'no-advance-below-70',
    ['ConfidenceLevel'],
    `the confidence is ${ConfidenceLevel}; a session advances from ${ENOUGH} on`,
    'resolve the open points and update the confidence (waybill state confidence shows what counts), or name the missing input with --blocked',
  )
}

function noGate({ id }: Phase): Objection {
  return against(
    'gate-has-artifacts',
    ['GateArtifacts'],
    `phase ${id} is no gate, so no artifact is shown there`,
    'omit --artifact, or move to a gate: --to 5, 5.3, 5.4, 5.5, 5.6 or 6',
  )
}

/** Why a session without a requested target stays in its phase. */
function inTheWay(state: SessionState, from: Phase): Objection {
  const { gate } = from
  const says = gate && gateState(state, gate)
  if (gate?.backTo !== undefined && says === gate.refuses) {
    return against(
      'refused-goes-back',
      ['Gates', gate.key],
      `gate ${gate.key} is ${says}, so the work goes back to phase ${gate.backTo}`,
      `go back: waybill state advance --to ${gate.backTo}`,
    )
  }
  if (gate && says !== undefined && !gate.passes.includes(says)) {
    const wanted = listed([...gate.passes, gate.refuses], 'or')
    const optional = gate.states.includes('not-applicable') ? ', or not-applicable' : ''
    return against(
      'move-skips-no-gate',
      ['Gates', gate.key],
      `gate ${gate.key} is ${says}, so the session stays in phase ${from.id} until the gate decides`,
      `set the gate with waybill state gate ${from.id} <verdict>: ${wanted}${optional}`,
    )
  }
  return against(
    'next-names-step',
    ['Next'],
    'the session is already there, so nothing would change',
    'name another phase with --to, or another step with --next',
  )
}
