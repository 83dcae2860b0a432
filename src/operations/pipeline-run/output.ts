import { MissionStatus, type MissionStatusParts } from '../mission/output.ts'
import { Submitted, type SubmittedParts } from '../mission-submit/output.ts'
import type { TypeOf } from '../operation.ts'
import { Diagnostics, Head, Reasons, UnitParts } from '../pipeline/output.ts'

const RemainingUnits = {
  type: 'object',
  required: ['kind', 'address', 'state', 'reasons'],
  properties: {
    kind: UnitParts.kind,
    address: UnitParts.address,
    state: UnitParts.state,
    reasons: Reasons,
  },
  additionalProperties: false,
  description: 'One thing that is not done.',
} as const

const own = {
  ...Head,
  complete: { type: 'boolean', description: 'Whether everything is done.' },
  continued: {
    type: 'boolean',
    description: 'Whether a mission was gone on with that had begun before.',
  },
  left: {
    type: 'array',
    items: RemainingUnits,
    description: 'What is not done, and what stands in its way.',
  },
  diagnostics: Diagnostics,
} as const

const schema = {
  type: 'object',
  required: [...(Object.keys(own) as (keyof typeof own)[]), 'mission', 'faults', 'status'] as const,
  properties: {
    ...own,
    mission: Submitted.properties.mission,
    faults: Submitted.properties.faults,
    status: {
      ...MissionStatus,
      type: ['object', 'null'],
      description: 'How far the mission is; null where there is none.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill pipeline run',
  description: 'How far an orchestration file and the mission made of it came.',
} as const

const head = {
  type: 'object',
  required: Object.keys(own) as (keyof typeof own)[],
  properties: own,
} as const

/** What `pipeline run` answers. */
export type PipelineRunOutput = TypeOf<typeof head> &
  SubmittedParts & { readonly status: MissionStatusParts | null }
export default schema
