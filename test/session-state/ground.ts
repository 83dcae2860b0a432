import type { Basis } from '../../src/contracts/session-state.v1/acts/objections.ts'
import { GATES, hasReached, PHASES } from '../../src/contracts/session-state.v1/phases.ts'
import { rules } from '../../src/contracts/session-state.v1/rules.ts'
import type { SessionState } from '../../src/contracts/session-state.v1/schema.ts'

/** What the acts are decided by: the real rules. */
export const basis: Basis = { rules: rules as unknown as Basis['rules'], now: 0 }

/** Everything that a workflow could ask for is there; what is left open are phase, mode, gates and confidence. */
const GROUND = {
  LoadedRulebooks: { core: 'rules.md', profile: 'profile.md' },
  ActiveProfile: 'backend-java',
  ProfileEvidence: 'pom.xml',
  ArchitectureDecisions: [{ ID: 'AD-1', Status: 'approved' as const }],
  GateArtifacts: Object.fromEntries(
    GATES.map(({ key }) => [
      key,
      { Required: ['Plan'], Provided: { Plan: 'present' } as Record<string, 'present'> },
    ]),
  ),
  RollbackStrategy: { Type: 'canary' as const, Steps: ['undo'], DataMigrationReversible: true },
  BuildEvidence: { status: 'provided-by-user' as const },
}
/** What a ticket is about, as far as a gate asks for it. */
export const TICKETS = {
  'without a schema change': { TouchedSurface: { SchemaPlanned: [] as string[] } },
  'with a schema change': { TouchedSurface: { SchemaPlanned: ['V1.sql'] } },
}

/** What the six gates have decided. */
export type Gates = NonNullable<SessionState['Gates']>
/** Every gate at the beginning. */
export const PENDING = Object.fromEntries(
  GATES.map(({ key }) => [key, 'pending']),
) as unknown as Gates

/** A state with the given parts; all else that could be asked for is there. */
export function stateOf(part: Partial<SessionState>, ticket: object): SessionState {
  return withProfile({ ...GROUND, ...ticket, Gates: PENDING, Phase: '1', ...part })
}

/** A profile is found once discovery is complete, never before. */
export function withProfile(state: SessionState): SessionState {
  const ProfileSource = hasReached(state, '2.1') ? 'auto-detected-single' : 'deferred'
  return { ...state, ProfileSource }
}

/** Whether code may be written, in the words of the page and of the rulings, without the table. */
export function mayByThePage(state: SessionState, planned: boolean): boolean {
  const { Phase, Mode, ConfidenceLevel = 0, Next = '', Gates = PENDING } = state
  if (Mode === 'BLOCKED' || ConfidenceLevel < 70 || !areGatesOpen(Gates, planned)) return false
  if (Next === 'PR-Ready') return Gates['P6-ImplementationQA'] === 'ready-for-pr'
  return ['5.3', '5.4', '5.5', '5.6', '6'].includes(String(Phase))
}

/** Architecture, tests and the way back have to agree, business rules where they apply; technical debt may not refuse. */
export function areGatesOpen(gates: Gates, planned: boolean): boolean {
  const rollback = planned ? ['approved'] : ['approved', 'not-applicable']
  return (
    gates['P5-Architecture'] === 'approved' &&
    ['pass', 'pass-with-exceptions'].includes(gates['P5.3-TestQuality']) &&
    rollback.includes(gates['P5.6-RollbackSafety']) &&
    gates['P5.5-TechnicalDebt'] !== 'rejected' &&
    ['compliant', 'compliant-with-exceptions', 'not-applicable'].includes(
      gates['P5.4-BusinessRules'],
    )
  )
}

/** Every combination of the states that the six gates may have: 2,880. */
export const ALL_GATES: readonly Gates[] = GATES.reduce<Partial<Gates>[]>(
  (sofar, { key, states }) => sofar.flatMap(g => states.map(state => ({ ...g, [key]: state }))),
  [{}],
) as Gates[]

/** Every mode in every confidence band. */
export const MANNERS = (['NORMAL', 'DEGRADED', 'DRAFT', 'BLOCKED'] as const).flatMap(Mode =>
  [69, 70].map(ConfidenceLevel => ({ Mode, ConfidenceLevel })),
)

/** Every phase, mode, confidence band and combination of gates, with code as the next step. */
export function* everyState(ticket: object): Generator<SessionState> {
  for (const { written } of PHASES) {
    const steps = written === '6' ? ['Phase6-X', 'PR-Ready'] : ['Phase6-X']
    const common = stateOf({ Phase: written }, ticket)
    for (const manner of MANNERS)
      for (const Gates of ALL_GATES)
        for (const Next of steps) yield { ...common, ...manner, Gates, Next }
  }
}
