import { beforeAll, describe, expect, test } from 'vitest'
import { decideAdvance } from '../../src/contracts/session-state.v1/acts/advance.ts'
import { decideGate } from '../../src/contracts/session-state.v1/acts/gate.ts'
import type { Decision } from '../../src/contracts/session-state.v1/acts/objections.ts'
import {
  type Gate,
  hasReached,
  orderOf,
  PHASES,
  phaseOf,
} from '../../src/contracts/session-state.v1/phases.ts'
import type { SessionState } from '../../src/contracts/session-state.v1/schema.ts'
import { awaitedBy } from '../../src/contracts/session-state.v1/unblocked.ts'
import { areGatesOpen, basis, PENDING, stateOf, TICKETS, withProfile } from './ground.ts'

// Looks at every state that the acts can reach from the beginning of a session: not at examples.

/** A state together with what else a session keeps while it is blocked. */
interface Node {
  readonly state: SessionState
  /** The state at the moment in which it was blocked. */
  readonly blocked?: SessionState
}

type Verdicts = readonly (readonly [gate: Gate['key'], states: readonly string[]])[]

/** The verdicts that differ in what they let happen; technical debt holds nothing but itself. */
const verdictsFor = (planned: boolean): Verdicts => [
  ['P5-Architecture', ['pending', 'approved', 'rejected']],
  ['P5.3-TestQuality', ['pending', 'pass', 'fail']],
  ['P5.4-BusinessRules', ['pending', 'compliant']],
  ['P5.6-RollbackSafety', ['pending', planned ? 'approved' : 'not-applicable']],
  ['P6-ImplementationQA', ['pending', 'ready-for-pr']],
]

const INPUT = { TicketRecordDigest: 'the owner is Ann' }

/** Every act that a session, or the people around it, could try in a state. */
function* actsOn({ state, blocked }: Node, verdicts: Verdicts): Generator<Decision | SessionState> {
  const waiting = blocked && { awaited: awaitedBy(blocked) }
  yield decideAdvance(basis, state, {}, waiting)
  for (const { id } of PHASES) yield decideAdvance(basis, state, { to: id }, waiting)
  yield decideAdvance(basis, state, { blocked: 'the owner' }, waiting)
  const all = verdicts.flatMap(([gate, states]) => states.map(says => ({ gate, state: says })))
  for (const verdict of all) yield decideGate(basis, state, { ...verdict, artifacts: {} })
  yield* artifactsIn(state)
  if (!blocked) yield withConfidence(state, state.ConfidenceLevel === 80 ? 60 : 80)
  if (blocked && !isLacking(state)) yield { ...state, ...INPUT }
}

/** One gate stands for all in what a missing artifact does. */
function* artifactsIn(state: SessionState): Generator<Decision> {
  if (state.Phase !== '5' && !isLacking(state)) return
  const verdict = {
    gate: 'P5-Architecture',
    state: state.Gates?.['P5-Architecture'] ?? '',
  } as const
  for (const Plan of ['missing', 'present'])
    yield decideGate(basis, state, { ...verdict, artifacts: { Plan } })
}

const isLacking = ({ GateArtifacts }: SessionState) =>
  GateArtifacts?.['P5-Architecture']?.Provided?.Plan === 'missing'

function withConfidence(state: SessionState, ConfidenceLevel: number): SessionState {
  return { ...state, ConfidenceLevel, Mode: ConfidenceLevel < 70 ? 'DRAFT' : 'NORMAL' }
}

const isDecision = (result: Decision | SessionState): result is Decision => 'accepted' in result

function nodeAfter(node: Node, result: Decision | SessionState): Node {
  const state = isDecision(result) ? (result.after as unknown as SessionState) : result
  if (state.Mode !== 'BLOCKED') {
    // What was given is used up, so that the number of states stays finite.
    const { TicketRecordDigest: _, ...rest } = state
    return { state: withProfile(rest) }
  }
  const renamed = node.state.Mode !== 'BLOCKED' || state.Next !== node.state.Next
  return { state: withProfile(state), blocked: renamed ? state : (node.blocked ?? state) }
}

function keyOf({ state }: Node): string {
  const { Phase, Mode, ConfidenceLevel, Next, TicketRecordDigest, Gates } = state
  const gates = Object.values(Gates ?? {})
  return [Phase, Mode, ConfidenceLevel, Next, TicketRecordDigest, ...gates, isLacking(state)].join()
}

/** Everything that can be reached from the beginning of a session; what is wrong on the way is reported. */
function explore(ticket: object, planned: boolean) {
  const first: Node = {
    state: stateOf(
      {
        Phase: '1.1-Bootstrap',
        Mode: 'NORMAL',
        ConfidenceLevel: 80,
        Next: 'Phase2-RepositoryDiscovery',
      },
      ticket,
    ),
  }
  const verdicts = verdictsFor(planned)
  const nodes = new Map<string, Node>([[keyOf(first), first]])
  const before = new Map<string, string[]>()
  const wrong: string[] = []
  let acts = 0
  for (const [from, node] of nodes) {
    const faults = wrongIn(node, planned)
    for (const result of actsOn(node, verdicts)) {
      acts++
      const next = isRefusal(result) ? node : nodeAfter(node, result)
      faults.push(...wrongWith(result, node, next))
      const to = keyOf(next)
      if (!wasToldWhere(node, result)) before.set(to, [...(before.get(to) ?? []), from])
      if (!nodes.has(to)) nodes.set(to, next)
    }
    wrong.push(...faults.map(fault => `${fault} in ${from}`))
  }
  return { nodes, before, wrong, acts }
}

/** Whether a move went forward to another place than `Next` pointed to: the way need not be known. */
function wasToldWhere({ state }: Node, result: Decision | SessionState): boolean {
  if (!isDecision(result)) return false
  const after = result.after as unknown as SessionState
  const forward = placeOf(after) > placeOf(state)
  return forward && !state.Next?.startsWith(`Phase${phaseOf(after)?.id}-`)
}

function wrongWith(result: Decision | SessionState, { state }: Node, next: Node): string[] {
  if (isRefusal(result)) return saysWhatToDo(result) ? [] : ['a refusal that says nothing']
  const fault = isDecision(result) && wrongBetween(state, next.state)
  return fault ? [`${fault} to ${keyOf(next)}`] : []
}

const isRefusal = (result: Decision | SessionState): result is Decision =>
  isDecision(result) && !result.accepted

const saysWhatToDo = ({ objections }: Decision) =>
  objections.some(({ severity, message, hint }) => severity === 'error' && message && hint)

/** What may be in no state that is reached. */
function wrongIn({ state }: Node, planned: boolean): string[] {
  const { Phase, Mode, Next = '', Gates = PENDING } = state
  const blocked = Mode === 'BLOCKED'
  const code = !blocked && (Phase === '6' || /^(?:PR-Ready|Phase6-)/.test(Next))
  const faults = {
    'code, and a gate open': code && !areGatesOpen(Gates, planned),
    'a block without its input': blocked && !/^BLOCKED-.*[a-z]/i.test(Next),
    'an artifact missing, and no block': !blocked && isLacking(state),
  }
  return Object.entries(faults).flatMap(([fault, found]) => (found ? [fault] : []))
}

const REFUSALS = [
  ['P5-Architecture', 'rejected', '5'],
  ['P5.3-TestQuality', 'fail', '5.3'],
] as const

/** What no act may do. */
function wrongBetween(from: SessionState, to: SessionState): string | undefined {
  const forward = placeOf(to) > placeOf(from)
  const left = from.Mode === 'BLOCKED' && to.Mode !== 'BLOCKED'
  const given = from.TicketRecordDigest !== undefined || (isLacking(from) && !isLacking(to))
  const refused = REFUSALS.filter(
    ([key, refuses, phase]) => from.Gates?.[key] === refuses && hasReached(from, phase),
  )
  const takenBack = refused.some(([key, refuses]) => to.Gates?.[key] !== refuses)
  if (left && !given) return 'out of a block without its input'
  if (forward && (from.ConfidenceLevel ?? 0) < 70) return 'on, below 70'
  if (forward && refused.length > 0) return 'on, past a refusal'
  if (forward && passedBy(to)) return 'on, past a gate'
  return takenBack && placeOf(to) > orderOf('4') ? 'a refusal taken back' : undefined
}

/** Architecture and tests are never left out. */
function passedBy(to: SessionState): boolean {
  const { 'P5-Architecture': architecture, 'P5.3-TestQuality': tests } = to.Gates ?? PENDING
  return (
    (placeOf(to) > orderOf('5') && architecture !== 'approved') ||
    (placeOf(to) > orderOf('5.3') && tests !== 'pass')
  )
}

const placeOf = (state: SessionState) => orderOf(phaseOf(state)?.id ?? '1')

/** All from which one of the goals can be reached. */
function reaching(goals: readonly string[], before: ReadonlyMap<string, readonly string[]>) {
  const found = new Set(goals)
  for (const goal of found) for (const from of before.get(goal) ?? []) found.add(from)
  return found
}

describe.each(Object.entries(TICKETS))('every session of a ticket %s', (_, ticket) => {
  const planned = ticket.TouchedSurface.SchemaPlanned.length > 0
  let graph: ReturnType<typeof explore>
  beforeAll(() => {
    graph = explore(ticket, planned)
  })

  test('reaches thousands of states, by tens of thousands of acts', () => {
    expect(graph.nodes.size).toBeGreaterThan(2_000)
    expect(graph.acts).toBeGreaterThan(80_000)
  })

  test('no act leads to code with a gate open, past a refusal, or out of a block without its input', () => {
    expect(graph.wrong.slice(0, 5)).toEqual([])
  })

  test('every phase is reached, and no state is a trap: each leads to a pull request', () => {
    const { nodes, before } = graph
    const phases = new Set([...nodes.values()].map(({ state }) => phaseOf(state)?.id))
    expect(phases.size).toBeGreaterThanOrEqual(PHASES.length - 1)
    const goals = [...nodes]
      .filter(([, { state }]) => state.Next === 'PR-Ready')
      .map(([key]) => key)
    expect(goals.length).toBeGreaterThan(0)
    const found = reaching(goals, before)
    expect([...nodes.keys()].filter(key => !found.has(key)).slice(0, 5)).toEqual([])
  })
})
