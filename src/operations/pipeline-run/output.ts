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
  description: 'One open unit.',
} as const

const own = {
  ...Head,
  complete: { type: 'boolean', description: 'Whether everything is done.' },
  continued: {
    type: 'boolean',
    description: 'Whether an existing mission was continued.',
  },
  left: {
    type: 'array',
    items: RemainingUnits,
    description: 'The open units and their blockers.',
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
      description: 'The status of the mission; null when there is none.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill pipeline run',
  description: 'The state of an orchestration file and its mission.',
} as const

const head = {
  type: 'object',
  required: Object.keys(own) as (keyof typeof own)[],
  properties: own,
} as const

/** The output of `pipeline run`. */
export type PipelineRunOutput = TypeOf<typeof head> &
  SubmittedParts & { readonly status: MissionStatusParts | null }
export default schema
