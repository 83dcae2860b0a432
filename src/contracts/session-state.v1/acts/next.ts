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

/** A step that the table allows next, and the objections to it. */
interface Step {
  /** Its form in `Next`. */
  readonly pointer: string
  readonly phase?: PhaseId
  readonly open: boolean
  readonly objections: readonly Objection[]
}

/** Whether a session may write code, and the rule that decided. */
export interface MayWriteCode {
  readonly answer: boolean
  /** The code of the rule that decided. */
  readonly rule: string
  readonly reason: string
  readonly hint?: string
}

/** The possible next steps of a state, and the objections to moving on. */
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
 * Decides whether code may be written now: the confidence suffices, the session is not blocked, every gate that code
 * needs agrees, and the next step produces code. Any error in the state denies it; the caller passes the errors.
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
    reason: `${quote(state.Next)} produces code, but ${listed(says)}`,
  }
}

/** An error of a state, as a check or an operation reports it. */
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
      `the session is blocked and waits for ${quote(reasonOf(Next) || 'an unnamed input')}`,
      'add the input to the state, and run waybill state advance',
    )
  }
  if (ConfidenceLevel < ENOUGH) {
    return against(
      'no-code-below-70',
      ['ConfidenceLevel'],
      `the confidence is ${state.ConfidenceLevel ?? 'missing'}, below ${ENOUGH}`,
      'resolve the open points, and update the confidence',
    )
  }
  const errors = known ?? errorsIn(basis, state)
  const deciding = errors.find(({ code }) => isGuard(code, basis.rules)) ?? errors[0]
  if (deciding || producesCode(Next)) return deciding
  return against(
    'code-needs-gates',
    ['Next'],
    `${quote(Next)} comes next, but code starts in phase 6`,
    'go on with waybill state advance, which says what each step needs',
  )
}
