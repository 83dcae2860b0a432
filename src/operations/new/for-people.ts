import type { DiagnosticForPeople } from '../check/report.ts'
import type { NewOutput } from './output.ts'

/** The output of `new` and `handoff` with the reason for each diagnostic. */
export interface NewForPeople extends NewOutput {
  readonly diagnostics: readonly DiagnosticForPeople[]
}
