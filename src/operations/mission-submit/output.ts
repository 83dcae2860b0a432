import { MissionStatus, type MissionStatusParts } from '../mission/output.ts'
import type { TypeOf } from '../operation.ts'

const Fault = {
  type: 'object',
  required: ['code', 'path', 'message', 'artifact'],
  properties: {
    code: { type: 'string', description: 'A stable code.' },
    path: { type: 'string', description: 'Where in the artifact, as a JSON Pointer.' },
    message: { type: 'string', description: 'What is wrong.' },
    hint: { type: 'string', description: 'What to do about it.' },
    artifact: { type: 'string', description: 'Which artifact it is wrong with.' },
  },
  additionalProperties: false,
  description: 'One thing that is wrong with the mission.',
} as const

/** What came of submitting a mission. */
export const Submitted = {
  type: 'object',
  required: ['mission', 'faults', 'status'],
  properties: {
    mission: { type: ['string', 'null'], description: 'Its id; null where none began.' },
    faults: { type: 'array', items: Fault, description: 'Why it did not begin.' },
    status: {
      ...MissionStatus,
      type: ['object', 'null'],
      description: 'How far it is; null where none began.',
    },
  },
  additionalProperties: false,
} as const

/** What came of submitting, without how far it is. */
export interface SubmittedParts {
  readonly mission: string | null
  readonly faults: readonly TypeOf<typeof Fault>[]
}

const schema = {
  ...Submitted,
  title: 'Output of waybill mission submit',
  description: 'The mission that began, or why none did.',
} as const

/** What `mission submit` answers. */
export type MissionSubmitOutput = SubmittedParts & { readonly status: MissionStatusParts | null }
export default schema
