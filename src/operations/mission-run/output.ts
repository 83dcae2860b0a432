import type { MissionStatusParts } from '../mission/output.ts'
import { Submitted, type SubmittedParts } from '../mission-submit/output.ts'

const schema = {
  ...Submitted,
  title: 'Output of waybill mission run',
  description: 'The mission that was run and how far it came, or why none began.',
} as const

/** What `mission run` answers. */
export type MissionRunOutput = SubmittedParts & { readonly status: MissionStatusParts | null }
export default schema
