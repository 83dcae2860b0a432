import { ListedMission, type ListedMissionParts } from '../mission/output.ts'

const schema = {
  type: 'object',
  required: ['state', 'missions', 'more'],
  properties: {
    state: { type: ['string', 'null'], description: 'The state that was asked for.' },
    missions: { type: 'array', items: ListedMission, description: 'The newest first.' },
    more: { type: 'boolean', description: 'Whether there are older ones.' },
  },
  additionalProperties: false,
  title: 'Output of waybill mission list',
  description: 'The missions of a tenant.',
} as const

/** What `mission list` answers. */
export interface MissionListOutput {
  readonly state: string | null
  readonly missions: readonly ListedMissionParts[]
  readonly more: boolean
}
export default schema
