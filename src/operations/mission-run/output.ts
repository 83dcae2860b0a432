import type { MissionStatusParts } from '../mission/output.ts'
import { Submitted, type SubmittedParts } from '../mission-submit/output.ts'

const schema = {
  ...Submitted,
  title: 'Output of waybill mission run',
  description: 'The mission and its final status, or why it was not submitted.',
} as const

/** The output of `mission run`. */
export type MissionRunOutput = SubmittedParts & { readonly status: MissionStatusParts | null }
export default schema
