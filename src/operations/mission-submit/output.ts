import { MissionStatus, type MissionStatusParts } from '../mission/output.ts'
import type { TypeOf } from '../operation.ts'

const Fault = {
  type: 'object',
  required: ['code', 'path', 'message', 'artifact'],
  properties: {
    code: { type: 'string', description: 'A stable code.' },
    path: { type: 'string', description: 'The location in the artifact, as a JSON Pointer.' },
    message: { type: 'string', description: 'What is wrong.' },
    hint: { type: 'string', description: 'How to fix it.' },
    artifact: { type: 'string', description: 'The artifact with the problem.' },
  },
  additionalProperties: false,
  description: 'One problem with the mission.',
} as const

/** The result of submitting a mission. */
export const Submitted = {
  type: 'object',
  required: ['mission', 'faults', 'status'],
  properties: {
    mission: { type: ['string', 'null'], description: 'Its id; null when none was submitted.' },
    faults: { type: 'array', items: Fault, description: 'Why it was not submitted.' },
    status: {
      ...MissionStatus,
      type: ['object', 'null'],
      description: 'Its status; null when none was submitted.',
    },
  },
  additionalProperties: false,
} as const

/** The result of submitting, without the status. */
export interface SubmittedParts {
  readonly mission: string | null
  readonly faults: readonly TypeOf<typeof Fault>[]
}

const schema = {
  ...Submitted,
  title: 'Output of waybill mission submit',
  description: 'The submitted mission, or why it was not submitted.',
} as const

/** The output of `mission submit`. */
export type MissionSubmitOutput = SubmittedParts & { readonly status: MissionStatusParts | null }
export default schema
