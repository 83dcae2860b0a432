import type { Diagnostic, Fields } from '../../contract/index.ts'
import { confidenceBand, PHASES } from '../../contracts/index.ts'
import { maskedPointer, maskSecrets } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import type { Outcome, StateFile } from '../../session/index.ts'
import type { ReportedDiagnostic } from '../check/output.ts'
import { toReport } from '../check/report.ts'
import { fieldsOf, listOf } from '../show/said.ts'
import type { ActOutput, DecisionSurface, StateSummaryOutput } from './output.ts'

/** The input that names the state file. */
export const FILE = {
  type: 'string',
  path: true,
  placeholder: 'path',
  description: 'The state file (default: SESSION_STATE.yaml at the root).',
} as const

/** The input of all operations that write a state. */
export const EXPECT = {
  type: 'string',
  placeholder: 'sha256',
  description: 'Write only if the file still has this SHA-256.',
} as const

/** Returns diagnostics in the form of outputs. */
export function reported(diagnostics: readonly Diagnostic[]): readonly ReportedDiagnostic[] {
  const result = { accepted: false, diagnostics, notRun: [], suppressed: [] }
  return toReport('', undefined, result).diagnostics
}

/** Summarises a state. */
export function standingIn(state: Fields): StateSummaryOutput {
  const { Phase, Mode, Next, ConfidenceLevel, OutputMode } = state
  const phase = PHASES.find(({ written }) => written === String(Phase))
  const confidence = typeof ConfidenceLevel === 'number' ? ConfidenceLevel : null
  return {
    ...(OutputMode === 'architect-only' && { decisionSurface: surfaceIn(state.DecisionSurface) }),
    phase: phase?.id ?? said(Phase),
    about: phase?.about ?? null,
    mode: said(Mode),
    next: said(Next),
    confidence,
    band: confidence === null ? null : confidenceBand(confidence / 100),
  }
}

const said = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? maskSecrets(String(value)) : null

function surfaceIn(surface: unknown): DecisionSurface {
  const texts = (value: unknown) => listOf(value).flatMap(text => said(text) ?? [])
  const { MustDecideNow, CanDefer, AutoDecidedBySystem } = fieldsOf(surface)
  return {
    MustDecideNow: texts(MustDecideNow),
    CanDefer: texts(CanDefer),
    AutoDecidedBySystem: texts(AutoDecidedBySystem),
  }
}

/** Returns the output of an operation that writes a state. */
export function actOutput(state: StateFile, outcome: Outcome): ActOutput {
  return {
    path: maskSecrets(state.path),
    accepted: outcome.accepted,
    from: standingIn(state.value),
    to: standingIn(outcome.after),
    changes: outcome.changes.map(({ path, value }) => ({
      part: maskedPointer(path),
      value: maskSecrets(typeof value === 'string' ? value : JSON.stringify(value)),
    })),
    diagnostics: reported(outcome.diagnostics),
    before: state.digest(),
    after: outcome.digest,
    record: outcome.record,
  }
}

/** Throws 'usage' when the value of a state is unknown because of errors. */
export function mustBeSound({ path, sound, result }: Pick<StateFile, 'path' | 'sound' | 'result'>) {
  if (sound) return
  const fault = result.diagnostics.find(({ severity }) => severity === 'error')
  throw new WaybillError('usage', `${path} is invalid: ${fault?.message ?? 'it cannot be read'}`, {
    hint: `see waybill check ${path}`,
  })
}
