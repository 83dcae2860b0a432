import { type Fields, listed, quote } from '../../../contract/index.ts'
import { type MissingArtifact, missingArtifacts, missingAt } from '../artifacts.ts'
import { gateState } from '../moves.ts'
import { parseNext } from '../next.ts'
import {
  GATES,
  type Gate,
  type GateKey,
  hasReached,
  orderOf,
  PHASES,
  type Phase,
  phaseOf,
} from '../phases.ts'
import type { SessionState } from '../schema.ts'
import { missingInput } from '../unblocked.ts'
import { apply } from './advance.ts'
import { blockedAt, modeAfterBlock } from './block.ts'
import { keepsNext, nextAfter } from './following.ts'
import {
  added,
  against,
  type Basis,
  type Decision,
  errorsIn,
  type Objection,
  once,
  type StateChange,
} from './objections.ts'
import { type Artifacts, showing, takingBack } from './shown.ts'

/** The requested decision of a gate, and the artifacts shown to it. */
export interface Verdict {
  readonly gate: GateKey
  readonly state: string
  readonly artifacts: Artifacts
  /** Why the verdict, or the artifacts if there are any, are taken back: they were given by mistake. */
  readonly retracts?: string | undefined
}

/** Decides whether a gate may be set, and returns the resulting changes. */
export function decideGate(basis: Basis, sound: Fields, verdict: Verdict): Decision {
  const state = sound as SessionState
  const phase = PHASES.find(({ gate }) => gate?.key === verdict.gate)
  const gate = phase?.gate
  if (!gate) throw new Error(`${verdict.gate} is not a gate`)
  const retracted = verdict.retracts !== undefined
  const own = verdictChanges(state, verdict)
  const changes = [...own, ...consequences(basis, state, apply(state, own), retracted)]
  const after = apply(state, changes)
  // A verdict that is taken back counts as never given.
  const before = retracted ? apply(state, own) : state
  const leaving = state.Mode === 'BLOCKED' && after.Mode !== 'BLOCKED'
  const lets = gate.passes.includes(verdict.state) && gateState(state, gate) !== verdict.state
  const all = errorsIn(basis, after, before)
  const objections = once([
    ...(lets ? objectionsToPassing(after, gate) : []),
    ...objectionToEarly(state, phase, gate, verdict.state),
    ...(retracted
      ? objectionToRetracting(state, phase, gate)
      : objectionToTakingBack(state, phase, gate, verdict.state)),
    ...objectionToWaitingForMore(state, after),
    ...(lets || leaving ? all : added(all, () => errorsIn(basis, state))),
    ...(changes.length === 0 ? [unchanged(gate, verdict.state)] : []),
  ])
  const accepted = !objections.some(({ severity }) => severity === 'error')
  return {
    accepted,
    objections: objections.map(withWay),
    changes,
    after,
    before,
    leadsOn: lets || leaving,
  }
}

/** What a verdict lacks is given with it. */
const WAYS: Readonly<Record<string, string>> = {
  'session-state/approved-gate-has-decision':
    'give the decision with the verdict: --from <file>, or - for standard input, with ArchitectureDecisions: [{ ID, Decision, EvidenceRefs, Status: approved }]',
  'session-state/ready-has-build-evidence':
    'run build and tests, and give the result with the verdict: --from <file> with BuildEvidence: { status, items: [{ tool, command, result }] }',
}

function withWay(objection: Objection): Objection {
  const hint = WAYS[objection.code]
  return hint === undefined ? objection : { ...objection, hint }
}

function verdictChanges(state: SessionState, verdict: Verdict) {
  const { gate, state: says, artifacts, retracts } = verdict
  const changes: StateChange[] = []
  if (!state.Gates) {
    const all = GATES.map(({ key }) => [key, key === gate ? says : 'pending'] as const)
    changes.push({ path: ['Gates'], value: Object.fromEntries(all) })
  } else if (state.Gates[gate] !== says) changes.push({ path: ['Gates', gate], value: says })
  return [
    ...changes,
    ...(retracts === undefined
      ? showing(state, gate, artifacts)
      : takingBack(state, gate, Object.keys(artifacts))),
  ]
}

/** Side effects of a verdict: a missing artifact blocks the session, its arrival unblocks it, and `Next` follows. */
function consequences(
  basis: Basis,
  state: SessionState,
  shown: SessionState,
  retracted: boolean,
): StateChange[] {
  const missing = missingArtifacts(shown)
  const wasMissing = missingArtifacts(state).length > 0
  const wasBlocked = state.Mode === 'BLOCKED'
  if (missing.length > 0) return wasBlocked && !wasMissing ? [] : block(state, missing)
  if (!wasBlocked) return follow(basis, shown, retracted)
  if (!wasMissing || (!retracted && missingInput(shown, state) !== undefined)) return []
  const mode = modeAfterBlock(state)
  const free = { ...shown, Mode: mode }
  return [{ path: ['Mode'], value: mode }, ...follow(basis, free, true)]
}

function block(state: SessionState, missing: readonly MissingArtifact[]): StateChange[] {
  const next = blockedAt(listed([...new Set(missing.map(({ artifact }) => artifact))]))
  const changes: StateChange[] = []
  if (state.Mode !== 'BLOCKED') changes.push({ path: ['Mode'], value: 'BLOCKED' })
  if (state.Next !== next) changes.push({ path: ['Next'], value: next })
  return changes
}

/** `Next` stays if allowed; otherwise it becomes the first allowed step. */
function follow(basis: Basis, state: SessionState, freed: boolean): StateChange[] {
  const stays = keepsNext(basis, state) || parseNext(state.Next ?? '').kind === 'unknown'
  if (stays && !freed) return []
  const next = nextAfter(basis, state)
  return next === state.Next ? [] : [{ path: ['Next'], value: next }]
}

/** A gate decides only when the work has reached it; before, it is pending or not applicable. */
function objectionToEarly(
  state: SessionState,
  phase: Phase,
  gate: Gate,
  says: string,
): Objection[] {
  const decides = gate.passes.includes(says) || says === gate.refuses
  if (!decides || gateState(state, gate) === says || hasReached(state, phase.id)) return []
  const here = phaseOf(state)?.id ?? 'none'
  return [
    against(
      'move-skips-no-gate',
      ['Gates', gate.key],
      `gate ${gate.key} decides in phase ${phase.id}, but the session is in phase ${here}`,
      `show it ${gate.shown} or what else it decides on, and go there: waybill state advance --to ${phase.id} --artifact ${gate.shown}`,
    ),
  ]
}

function objectionsToPassing(after: SessionState, gate: Gate): Objection[] {
  const objections: Objection[] = []
  const { Required, Provided } = after.GateArtifacts?.[gate.key] ?? {}
  if (Required === undefined || Provided === undefined) {
    objections.push(
      against(
        'gate-has-artifacts',
        ['GateArtifacts', gate.key],
        `the artifacts of gate ${gate.key} and their status are not recorded`,
        `name what the gate was shown, such as --artifact ${gate.shown}=present`,
      ),
    )
  }
  // The rules allow a state without build evidence, but a verdict of readiness requires it.
  if (gate.key === 'P6-ImplementationQA' && after.BuildEvidence === undefined) {
    objections.push(
      against(
        'ready-has-build-evidence',
        ['BuildEvidence'],
        'the state has no build evidence, so nothing shows that the work is ready',
        'run build and tests, and add BuildEvidence with status and items to the state',
      ),
    )
  }
  if (after.Mode === 'BLOCKED' && missingAt(after, gate.key).length === 0) {
    objections.push(
      against(
        'blocked-left-with-input',
        ['Mode'],
        `the session waits at ${quote(after.Next ?? 'BLOCKED')}; no gate passes until then`,
        'add the input to the state, and run waybill state advance',
      ),
    )
  }
  return objections
}

/** A refusal that sends the work back stands until the work has gone back. */
function objectionToTakingBack(
  state: SessionState,
  phase: Phase,
  gate: Gate,
  says: string,
): Objection[] {
  const refused = gateState(state, gate) === gate.refuses && says !== gate.refuses
  if (!refused || gate.backTo === undefined || !hasReached(state, phase.id)) return []
  return [
    against(
      'refused-goes-back',
      ['Gates', gate.key],
      `gate ${gate.key} says ${gate.refuses} and decides again only after the work is replanned`,
      `go back: waybill state advance --to ${gate.backTo}; a verdict given by mistake is taken back with --retract <why>`,
    ),
  ]
}

/** A mistake is taken back before the session builds on it; later, the work goes back and the gate decides again. */
function objectionToRetracting(state: SessionState, phase: Phase, gate: Gate): Objection[] {
  const here = phaseOf(state)
  if (!here || orderOf(here.id) <= orderOf(phase.id)) return []
  return [
    against(
      'gates-not-reopened',
      ['Gates', gate.key],
      `the session has moved on from gate ${gate.key} to phase ${here.id}, so nothing of it is taken back`,
      'go back and let the gate decide again: waybill state advance --to 4',
    ),
  ]
}

/** A session waits for one input at a time, since providing one would seem to provide the other. */
function objectionToWaitingForMore(state: SessionState, after: SessionState): Objection[] {
  if (state.Mode !== 'BLOCKED' || missingArtifacts(state).length > 0) return []
  const [first] = missingArtifacts(after)
  if (!first) return []
  return [
    against(
      'missing-artifact-blocks',
      first.path,
      `the session already waits at ${quote(state.Next ?? 'BLOCKED')}, and ${quote(first.artifact)} would be missing too`,
      'provide the first input before you require the artifact, or name both with waybill state advance --blocked',
    ),
  ]
}

function unchanged({ key }: Gate, says: string): Objection {
  return against(
    'next-names-step',
    ['Gates', key],
    `gate ${key} is already ${says}, so nothing would change`,
    'see the next steps: waybill state next',
  )
}
