/** The six gates by their keys in a state. */
export type GateKey =
  | 'P5-Architecture'
  | 'P5.3-TestQuality'
  | 'P5.4-BusinessRules'
  | 'P5.5-TechnicalDebt'
  | 'P5.6-RollbackSafety'
  | 'P6-ImplementationQA'

/** A gate: its possible states and their effects. */
export interface Gate {
  readonly key: GateKey
  readonly states: readonly string[]
  /** States in which the gate passes. */
  readonly passes: readonly string[]
  /** The state in which the gate refuses the work. */
  readonly refuses: string
  /** What it usually decides on, as the name of an artifact. */
  readonly shown: string
  /** The phase to return to after a refusal, if defined. */
  readonly backTo?: PhaseId
  /** The states that a code-producing step needs; `whenPlanned` applies if a schema or contract change is planned. */
  readonly forCode?: readonly string[]
  readonly whenPlanned?: readonly string[]
  /** The states that `PR-Ready` needs. */
  readonly forPullRequest?: readonly string[]
}

/** The name of a phase in the order and in `Next`. */
export type PhaseId =
  | '1'
  | '1.1'
  | '2'
  | '2.1'
  | '1.2'
  | '1.5'
  | '3A'
  | '3B-1'
  | '3B-2'
  | '1.3'
  | '4'
  | '5'
  | '5.3'
  | '5.4'
  | '5.5'
  | '5.6'
  | '6'

/** One step of the workflow. */
export interface Phase {
  readonly id: PhaseId
  /** Its value in `Phase`. */
  readonly written: string
  readonly about: string
  /** Phases that may come next; going back and staying is always possible. */
  readonly next: readonly PhaseId[]
  /** Severity if `Next` skips this phase; `if-required`: an error if the document shows that the gate applies. */
  readonly passedOver: 'allowed' | 'warning' | 'error' | 'if-required'
  readonly gate?: Gate
}

const DECIDED = ['approved', 'rejected']

/** The workflow in order; used by rules, `state next` and the documentation. */
export const PHASES: readonly Phase[] = [
  { id: '1', written: '1', about: 'rules loading', next: ['1.1', '2'], passedOver: 'allowed' },
  {
    id: '1.1',
    written: '1.1-Bootstrap',
    about: 'minimal bootstrap',
    next: ['2'],
    passedOver: 'allowed',
  },
  { id: '2', written: '2', about: 'repository discovery', next: ['2.1'], passedOver: 'warning' },
  { id: '2.1', written: '2.1', about: 'decision pack', next: ['1.2'], passedOver: 'warning' },
  {
    id: '1.2',
    written: '1.2-ProfileDetection',
    about: 'profile detection',
    next: ['1.5', '3A', '1.3'],
    passedOver: 'warning',
  },
  {
    id: '1.5',
    written: '1.5',
    about: 'business rules discovery',
    next: ['3A', '1.3'],
    passedOver: 'allowed',
  },
  {
    id: '3A',
    written: '3A',
    about: 'API inventory',
    next: ['3B-1', '1.3'],
    passedOver: 'allowed',
  },
  {
    id: '3B-1',
    written: '3B-1',
    about: 'API logical validation',
    next: ['3B-2'],
    passedOver: 'allowed',
  },
  {
    id: '3B-2',
    written: '3B-2',
    about: 'contract validation',
    next: ['1.3'],
    passedOver: 'allowed',
  },
  {
    id: '1.3',
    written: '1.3-CoreRulesActivation',
    about: 'core rules activation',
    next: ['4'],
    passedOver: 'warning',
  },
  { id: '4', written: '4', about: 'ticket planning', next: ['5'], passedOver: 'warning' },
  {
    id: '5',
    written: '5',
    about: 'architecture gate',
    next: ['5.3'],
    passedOver: 'error',
    gate: {
      key: 'P5-Architecture',
      states: ['pending', ...DECIDED],
      passes: ['approved'],
      refuses: 'rejected',
      shown: 'ArchitectureDecisions',
      backTo: '4',
      forCode: ['approved'],
    },
  },
  {
    id: '5.3',
    written: '5.3',
    about: 'test quality gate',
    next: ['5.4', '5.5', '5.6', '6'],
    passedOver: 'error',
    gate: {
      key: 'P5.3-TestQuality',
      states: ['pending', 'pass', 'pass-with-exceptions', 'fail'],
      passes: ['pass', 'pass-with-exceptions'],
      refuses: 'fail',
      shown: 'TestPlan',
      backTo: '4',
      forCode: ['pass', 'pass-with-exceptions'],
    },
  },
  {
    id: '5.4',
    written: '5.4',
    about: 'business rules compliance gate',
    next: ['5.5', '5.6', '6'],
    passedOver: 'if-required',
    gate: {
      key: 'P5.4-BusinessRules',
      states: [
        'pending',
        'compliant',
        'compliant-with-exceptions',
        'gap-detected',
        'not-applicable',
      ],
      passes: ['compliant', 'compliant-with-exceptions'],
      refuses: 'gap-detected',
      shown: 'BusinessRules',
    },
  },
  {
    id: '5.5',
    written: '5.5',
    about: 'technical debt gate',
    next: ['5.6', '6'],
    passedOver: 'allowed',
    gate: {
      key: 'P5.5-TechnicalDebt',
      states: ['pending', ...DECIDED, 'not-applicable'],
      passes: ['approved'],
      refuses: 'rejected',
      shown: 'TechnicalDebt',
    },
  },
  {
    id: '5.6',
    written: '5.6',
    about: 'rollback safety gate',
    next: ['6'],
    passedOver: 'if-required',
    gate: {
      key: 'P5.6-RollbackSafety',
      states: ['pending', ...DECIDED, 'not-applicable'],
      passes: ['approved'],
      refuses: 'rejected',
      shown: 'RollbackStrategy',
      forCode: ['approved', 'not-applicable'],
      whenPlanned: ['approved'],
    },
  },
  {
    id: '6',
    written: '6',
    about: 'implementation QA gate',
    next: [],
    passedOver: 'error',
    gate: {
      key: 'P6-ImplementationQA',
      states: ['pending', 'ready-for-pr', 'fix-required'],
      passes: ['ready-for-pr'],
      refuses: 'fix-required',
      shown: 'BuildEvidence',
      forPullRequest: ['ready-for-pr'],
    },
  },
]

const BY_WRITTEN: ReadonlyMap<string, Phase> = new Map(PHASES.map(phase => [phase.written, phase]))
const ORDER: ReadonlyMap<PhaseId, number> = new Map(PHASES.map(({ id }, place) => [id, place]))

/** The gates in phase order. */
export const GATES: readonly Gate[] = PHASES.flatMap(phase => phase.gate ?? [])

/** The position of `PR-Ready`, after the last phase. */
export const AFTER_ALL = PHASES.length

/** The phase of a state; `Phase` may be a number, which is compared as text. */
export function phaseOf(state: { readonly Phase: string | number }): Phase | undefined {
  return BY_WRITTEN.get(String(state.Phase))
}

/** The zero-based position of a phase in the order. */
export function orderOf(id: PhaseId): number {
  return ORDER.get(id) ?? -1
}

/** Whether a state is in the given phase or in a later one. */
export function hasReached(state: { readonly Phase: string | number }, id: PhaseId): boolean {
  const phase = phaseOf(state)
  return phase !== undefined && orderOf(phase.id) >= orderOf(id)
}
