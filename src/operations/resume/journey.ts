import type { ResumeDiagnostic, ResumeStep } from './output.ts'

type Name = ResumeStep['step']

/** The steps of resuming, in order. */
const STEPS: readonly Name[] = [
  'validate',
  'classify',
  'load',
  'chain',
  'references',
  'branch',
  'checks',
  'brief',
]

/** The steps taken so far and their diagnostics. */
export class Journey {
  readonly diagnostics: ResumeDiagnostic[] = []
  readonly #taken = new Map<Name, ResumeStep>()

  get refused(): boolean {
    return this.diagnostics.some(({ severity }) => severity === 'error')
  }

  /** Records the result of a step: an error refuses, a warning is a caution. */
  take(step: Name, detail: string, ...found: readonly ResumeDiagnostic[]): void {
    this.diagnostics.push(...found)
    const has = (severity: string) => found.some(d => d.severity === severity)
    const outcome = has('error') ? 'refused' : has('warning') ? 'caution' : 'passed'
    this.#taken.set(step, { step, outcome, detail })
  }

  /** Records that a step was skipped. */
  leaveOut(step: Name, detail: string): void {
    this.#taken.set(step, { step, outcome: 'not-taken', detail })
  }

  /** Returns every step; the remaining ones are marked as not taken. */
  get steps(): readonly ResumeStep[] {
    const none = (step: Name): ResumeStep => ({ step, outcome: 'not-taken', detail: '' })
    return STEPS.map(step => this.#taken.get(step) ?? none(step))
  }
}
