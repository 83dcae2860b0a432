import { type Fields, listed, quote } from '../../../contract/index.ts'
import { type MissingArtifact, missingArtifacts, missingAt } from '../artifacts.ts'
import { gateState } from '../moves.ts'
import { parseNext } from '../next.ts'
import {
  GATES,
  type Gate,
  type GateKey,
  hasReached,
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

/** The requested decision of a gate, and the artifacts shown to it. */
export interface Verdict {
  readonly gate: GateKey
  readonly state: string
  /** Statuses of artifacts by name: `present`, `missing` or `not-applicable`. */
  readonly artifacts: Readonly<Record<string, string>>
}

/** Decides whether a gate may be set, and returns the resulting changes. */
export function decideGate(basis: Basis, sound: Fields, verdict: Verdict): Decision {
  const state = sound as SessionState
  const phase = PHASES.find(({ gate }) => gate?.key === verdict.gate)
  const gate = phase?.gate
  if (!gate) throw new Error(`${verdict.gate} is not a gate`)
  const shown = apply(state, verdictChanges(state, verdict))
  const changes = [...verdictChanges(state, verdict), ...consequences(basis, state, shown)]
  const after = apply(state, changes)
  const leaving = state.Mode === 'BLOCKED' && after.Mode !== 'BLOCKED'
  const lets = gate.passes.includes(verdict.state) && gateState(state, gate) !== verdict.state
  const all = errorsIn(basis, after, state)
  const objections = once([
    ...(lets ? objectionsToPassing(after, gate) : []),
    ...objectionToEarly(state, phase, gate, verdict.state),
    ...objectionToTakingBack(state, phase, gate, verdict.state),
    ...objectionToWaitingForMore(state, after),
    ...(lets || leaving ? all : added(all, () => errorsIn(basis, state))),
    ...(changes.length === 0 ? [unchanged(gate, verdict.state)] : []),
  ])
  const accepted = !objections.some(({ severity }) => severity === 'error')
  return { accepted, objections, changes, after, leadsOn: lets || leaving }
}

function verdictChanges(state: SessionState, { gate, state: says, artifacts }: Verdict) {
  const changes: StateChange[] = []
  if (!state.Gates) {
    const all = GATES.map(({ key }) => [key, key === gate ? says : 'pending'] as const)
    changes.push({ path: ['Gates'], value: Object.fromEntries(all) })
  } else if (state.Gates[gate] !== says) changes.push({ path: ['Gates', gate], value: says })
  const entry = state.GateArtifacts?.[gate]
  const names = Object.keys(artifacts)
  if (names.length === 0) return changes
  if (!entry) {
    const value = { Required: names, Provided: artifacts }
    changes.push({ path: ['GateArtifacts', gate], value })
    return changes
  }
  const { Required = [], Provided = {} } = entry
  const further = names.filter(name => !Required.includes(name))
  if (further.length > 0) {
    changes.push({ path: ['GateArtifacts', gate, 'Required'], value: [...Required, ...further] })
  }
  for (const name of names) {
    const known = Object.hasOwn(Provided, name) ? Provided[name] : undefined
    const value = artifacts[name]
    if (value === undefined || value === known) continue
    changes.push({ path: ['GateArtifacts', gate, 'Provided', name], value })
  }
  return changes
}

/** Side effects of a verdict: a missing artifact blocks the session, its arrival unblocks it, and `Next` follows. */
function consequences(basis: Basis, state: SessionState, shown: SessionState): StateChange[] {
  const missing = missingArtifacts(shown)
  const wasMissing = missingArtifacts(state).length > 0
  const wasBlocked = state.Mode === 'BLOCKED'
  if (missing.length > 0) return wasBlocked && !wasMissing ? [] : block(state, missing)
  if (!wasBlocked) return follow(basis, shown, false)
  if (!wasMissing || missingInput(shown, state) !== undefined) return []
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
      'go there first: waybill state advance',
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
        `record them: --artifact <name>=present, for each artifact that the gate was shown`,
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
      `gate ${gate.key} says ${gate.refuses}and decides again only after the work is replanned`,
      `go back: waybill state advance --to ${gate.backTo}`,
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
