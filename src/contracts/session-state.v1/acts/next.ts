import { type Fields, listed, quote } from '../../../contract/index.ts'
import { ENOUGH } from '../confidence-scale.ts'
import { gateState } from '../moves.ts'
import { parseNext, producesCode } from '../next.ts'
import { GATES, type PhaseId } from '../phases.ts'
import type { SessionState } from '../schema.ts'
import { decideAdvance } from './advance.ts'
import { reasonOf, type Waiting } from './block.ts'
import { stepsAfter } from './following.ts'
import { against, type Basis, errorsIn, isGuard, type Objection } from './objections.ts'

/** A step that the table lets follow, and what stands in its way. */
interface Step {
  /** How `Next` names it. */
  readonly pointer: string
  readonly phase?: PhaseId
  readonly open: boolean
  readonly objections: readonly Objection[]
}

/** Whether a session may write code, and by which rule. */
export interface MayWriteCode {
  readonly answer: boolean
  /** The code of the rule that decided. */
  readonly rule: string
  readonly reason: string
  readonly hint?: string
}

/** The steps that may follow a state, and what stands in the way of going on. */
export function whatFollows(basis: Basis, sound: Fields, waiting?: Waiting) {
  const state = sound as SessionState
  const steps = stepsAfter(state).map(pointer => stepTo(basis, state, pointer, waiting))
  const plain = decideAdvance(basis, state, {}, waiting)
  const inTheWay = plain.objections.filter(({ severity }) => severity === 'error')
  return { steps, inTheWay }
}

function stepTo(
  basis: Basis,
  state: SessionState,
  pointer: string,
  waiting: Waiting | undefined,
): Step {
  const read = parseNext(pointer)
  const phase = read.kind === 'phase' ? read.phase.id : undefined
  const to = phase ?? '6'
  const wish = phase === undefined ? ({ to: '6', next: pointer } as const) : { to }
  const { objections } = decideAdvance(basis, state, wish, waiting)
  const reached = phase === undefined && state.Next === pointer
  const errors = reached ? [] : objections.filter(({ severity }) => severity === 'error')
  return {
    pointer,
    ...(phase !== undefined && { phase }),
    open: errors.length === 0,
    objections: errors,
  }
}

/**
 * Whether code may be written now: the session is sure enough, not blocked, every gate that code needs agrees, and the
 * next step is one that produces code. A state with an error anywhere answers no; who has checked it gives the errors.
 */
export function mayWriteCode(
  basis: Basis,
  sound: Fields,
  known?: readonly CodeError[],
): MayWriteCode {
  const state = sound as SessionState
  const objection = againstCode(basis, state, known)
  if (objection) {
    const { code, message, hint } = objection
    return { answer: false, rule: code, reason: message, ...(hint !== undefined && { hint }) }
  }
  const asked = GATES.filter(gate => gate.forCode)
  const says = asked.map(gate => `${gate.key} is ${gateState(state, gate)}`)
  return {
    answer: true,
    rule: 'session-state/code-needs-gates',
    reason: `${quote(state.Next)} produces code, and ${listed(says)}`,
  }
}

/** An error of a state, as a check or an act tells it. */
type CodeError = Pick<Objection, 'code' | 'message' | 'hint'>

function againstCode(
  basis: Basis,
  state: SessionState,
  known: readonly CodeError[] | undefined,
): CodeError | undefined {
  const { Mode, ConfidenceLevel = 0, Next = '' } = state
  if (Mode === 'BLOCKED') {
    return against(
      'blocked-left-with-input',
      ['Mode'],
      `the session is blocked and waits for ${quote(reasonOf(Next) || 'an input that it does not name')}`,
      'add the input where it belongs in the state, and run waybill state advance',
    )
  }
  if (ConfidenceLevel < ENOUGH) {
    return against(
      'no-code-below-70',
      ['ConfidenceLevel'],
      `the confidence is ${state.ConfidenceLevel ?? 'missing'}, below ${ENOUGH}`,
      'settle what is unclear, and state the confidence anew',
    )
  }
  const errors = known ?? errorsIn(basis, state)
  const deciding = errors.find(({ code }) => isGuard(code, basis.rules)) ?? errors[0]
  if (deciding || producesCode(Next)) return deciding
  return against(
    'code-needs-gates',
    ['Next'],
    `${quote(Next)} comes next, and code comes with phase 6`,
    'see what stands in the way: waybill state next',
  )
}
