import { ListedMission, type ListedMissionParts } from '../mission/output.ts'

const schema = {
  type: 'object',
  required: ['missions', 'more'],
  properties: {
    missions: { type: 'array', items: ListedMission, description: 'The newest first.' },
    more: { type: 'boolean', description: 'Whether there are older ones.' },
  },
  additionalProperties: false,
  title: 'Output of waybill mission list',
  description: 'The missions of a tenant.',
} as const

/** What `mission list` answers. */
export interface MissionListOutput {
  readonly missions: readonly ListedMissionParts[]
  readonly more: boolean
}
export default schema
