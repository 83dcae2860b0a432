import { listed, quote, type Rules } from '../../../contract/index.ts'
import { plansSchemaOrContract } from '../artifacts.ts'
import { gateState, holds, openBehind, skippedGates } from '../moves.ts'
import { parseNext, pointerTo } from '../next.ts'
import {
  AFTER_ALL,
  GATES,
  type Gate,
  hasReached,
  orderOf,
  PHASES,
  type Phase,
  phaseOf,
} from '../phases.ts'
import type { SessionState } from '../schema.ts'

const READS = ['/Phase', '/Next']

/** The rules about the next step. */
export const nextRules = {
  'next-names-step': {
    severity: 'warning',
    summary: '`Next` is `Phase<phase>-<text>`, `BLOCKED-<reason>` or, only in phase 6, `PR-Ready`.',
    why: 'The next session and tools resume at this step.',
    reads: [...READS, '/Mode'],
    *check(state) {
      const { Next, Mode } = state
      if (Next === undefined || Mode === 'BLOCKED') return
      const pointer = parseNext(Next)
      if (pointer.kind === 'blocked') return
      if (pointer.kind === 'pull-request' && pointer.exact && String(state.Phase) === '6') return
      if (pointer.kind === 'phase' && pointer.exact) return
      const early = pointer.kind === 'pull-request' && pointer.exact
      yield {
        path: ['Next'],
        message: early
          ? `PR-Ready comes after phase 6, but this is phase ${state.Phase}`
          : `${quote(Next)} does not have the form of a step`,
        hint: `write it like ${exampleFor(pointer.kind === 'phase' ? pointer.phase : phaseOf(state))}`,
      }
    },
  },
  'next-keeps-order': {
    severity: 'warning',
    summary: '`Next` skips no phase except optional ones.',
    why: 'Later phases rely on the results of earlier ones: the profile, the rules, the plan.',
    reads: [...READS, '/RepoCacheFile/Valid', '/FastPath', '/FastPathEvaluation/Applied'],
    *check(state) {
      const step = stepOf(state)
      if (!step?.phase || orderOf(step.phase.id) <= orderOf(step.from.id)) return
      if (step.from.next.includes(step.phase.id)) return
      const between = PHASES.slice(orderOf(step.from.id) + 1, orderOf(step.phase.id))
      const left = between.filter(p => p.passedOver === 'warning' && !isShortened(state, p))
      const broken = left.length === 0 && between.every(p => p.passedOver === 'allowed')
      if (left.length === 0 && !broken) return
      yield {
        path: ['Next'],
        message: broken
          ? `phase ${step.phase.id} does not follow phase ${step.from.id}`
          : `${quote(state.Next)} skips ${phasesIn(left)}`,
        hint: `after phase ${step.from.id} comes ${listed(step.from.next, 'or')}`,
      }
    },
  },
  'next-skips-no-gate': {
    severity: 'error',
    summary: '`Next` skips no mandatory gate.',
    why: 'A gate that has not decided has not passed.',
    reads: [...READS, '/Gates', '/TouchedSurface', '/StateCompression'],
    *check(state) {
      const step = stepOf(state)
      if (!step) return
      // Another rule covers the gates that code needs.
      const before = step.to < orderOf('6')
      const left = before ? (refusedAndLeft(state, step) ?? leftBehind(state, step)) : undefined
      const skipped = left ? [left] : skippedGates(state, step.from, step.to)
      const [first] = skipped
      if (!first) return
      yield {
        path: ['Next'],
        message: left?.gate
          ? `${quote(state.Next)} moves on although gate ${left.gate.key} is ${gateState(state, left.gate)}`
          : `${quote(state.Next)} skips ${phasesIn(skipped)}`,
        hint: remedyFor(state, first),
      }
    },
  },
  'code-needs-gates': {
    severity: 'error',
    summary: 'A code-producing step comes next, or runs, only if its gates allow it.',
    why: 'Architecture, tests and rollback are settled before code exists.',
    reads: [...READS, '/Mode', '/Gates', '/TouchedSurface', '/StateCompression'],
    *check(state) {
      const place = codePlace(state)
      if (!place || !state.Gates) return
      const open = PHASES.flatMap(phase => {
        const wanted = wantedOf(state, phase, place.pullRequest)
        return phase.gate && wanted ? [{ gate: phase.gate, wanted }] : []
      })
      if (open.length === 0) return
      const states = open.map(({ gate }) => `${gate.key} is ${gateState(state, gate)}`)
      const wanted = open.map(({ gate, wanted }) => `${gate.key}: ${listed(wanted, 'or')}`)
      yield {
        path: [place.key],
        message: `${place.key === 'Next' ? quote(state.Next) : 'phase 6'} produces code, but ${listed(states)}`,
        hint: `it needs ${listed(wanted)}`,
      }
    },
  },
  'refused-goes-back': {
    severity: 'error',
    summary:
      'After a rejected architecture or a failed test quality gate, the work goes back to phase 4.',
    why: 'Refused work must be planned again.',
    reads: [...READS, '/Gates'],
    *check(state) {
      if (!GATES.some(gate => gate.backTo && gateState(state, gate) === gate.refuses)) return
      const from = phaseOf(state)
      const pointer = state.Next === undefined ? undefined : parseNext(state.Next)
      if (!from || (pointer?.kind !== 'phase' && pointer?.kind !== 'pull-request')) return
      for (const phase of PHASES) {
        const { gate } = phase
        if (gate?.backTo === undefined || gateState(state, gate) !== gate.refuses) continue
        if (orderOf(from.id) < orderOf(phase.id)) continue
        if (pointer.kind === 'phase' && orderOf(pointer.phase.id) <= orderOf(gate.backTo)) continue
        yield {
          path: ['Next'],
          message: `gate ${gate.key} is ${gate.refuses}, but the next step is ${quote(state.Next)}`,
          hint: `go back: ${exampleFor(PHASES.find(p => p.id === gate.backTo))}`,
        }
      }
    },
  },
} satisfies Rules<SessionState>

interface Step {
  readonly from: Phase
  /** The position of `Next` in the order. */
  readonly to: number
  /** The phase at that position; none for `PR-Ready`. */
  readonly phase?: Phase
}

function stepOf(state: SessionState): Step | undefined {
  const from = phaseOf(state)
  if (!from || state.Next === undefined) return undefined
  const pointer = parseNext(state.Next)
  if (pointer.kind === 'pull-request') return { from, to: AFTER_ALL }
  if (pointer.kind !== 'phase') return undefined
  return { from, to: orderOf(pointer.phase.id), phase: pointer.phase }
}

/** The gate of the current phase, if it refuses the work without sending it back; another rule covers the rest. */
function refusedAndLeft(state: SessionState, { from, to }: Step): Phase | undefined {
  const { gate } = from
  if (!gate || to <= orderOf(from.id) || gateState(state, gate) !== gate.refuses) return undefined
  return gate.backTo === undefined ? from : undefined
}

/** The first open gate of an earlier phase. */
function leftBehind(state: SessionState, { from, to }: Step): Phase | undefined {
  const phase = to > orderOf(from.id) ? openBehind(state, from) : undefined
  const { gate } = phase ?? {}
  if (!gate) return undefined
  return gate.backTo && gateState(state, gate) === gate.refuses ? undefined : phase
}

/** The hint for a skipped gate. */
function remedyFor(state: SessionState, { id, gate }: Phase): string {
  const says = gate && gateState(state, gate)
  if (gate && says === gate.refuses) {
    return 'resolve the findings of the gate, or name the missing input after BLOCKED-'
  }
  if (id !== '5.4') return `go to phase ${id} first`
  return says === 'not-applicable'
    ? 'go to phase 5.4 first: business rules were discovered in phase 1.5'
    : 'go to phase 5.4 first, or write not-applicable if no business rules were discovered'
}

/** The place that shows that code is being produced, or comes next. */
function codePlace(state: SessionState) {
  const pointer = state.Next === undefined ? undefined : parseNext(state.Next)
  if (pointer?.kind === 'pull-request') return { key: 'Next', pullRequest: true }
  if (pointer?.kind === 'phase' && pointer.phase.id === '6') {
    return { key: 'Next', pullRequest: false }
  }
  if (phaseOf(state)?.id !== '6' || state.Mode === 'BLOCKED') return undefined
  return { key: 'Phase', pullRequest: false }
}

/** The gates that do not have a state that code needs, including every gate so far. */
function wantedOf(state: SessionState, phase: Phase, pullRequest: boolean) {
  const { gate, id } = phase
  if (!gate) return undefined
  const allowed = statesForCode(gate, plansSchemaOrContract(state), pullRequest)
  if (allowed) return allowed.includes(gateState(state, gate) ?? '') ? undefined : allowed
  if (id === '6' || !hasReached(state, id) || !holds(state, phase)) return undefined
  const saying = (says: string) => ({ ...state, Gates: { ...state.Gates, [gate.key]: says } })
  return gate.states.filter(
    says => says !== 'pending' && !holds(saying(says) as SessionState, phase),
  )
}

function statesForCode(gate: Gate, planned: boolean, pullRequest: boolean) {
  if (pullRequest && gate.forPullRequest) return gate.forPullRequest
  return planned ? (gate.whenPlanned ?? gate.forCode) : gate.forCode
}

/** Only discovery may be shortened, by a valid cache. */
function isShortened({ RepoCacheFile, FastPath, FastPathEvaluation }: SessionState, phase: Phase) {
  if (phase.id !== '2') return false
  return RepoCacheFile?.Valid === true || FastPath === true || FastPathEvaluation?.Applied === true
}

function phasesIn(phases: readonly Phase[]): string {
  const names = phases.map(({ id, about }) => `${id} (${about})`)
  return `${phases.length === 1 ? 'phase' : 'phases'} ${listed(names)}`
}

function exampleFor(phase: Phase | undefined): string {
  return phase ? pointerTo(phase) : 'Phase4-TicketPlanning'
}
