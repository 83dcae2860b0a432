import { ListedMission, type ListedMissionParts } from '../mission/output.ts'

const schema = {
  type: 'object',
  required: ['state', 'missions', 'more'],
  properties: {
    state: { type: ['string', 'null'], description: 'The requested state.' },
    missions: { type: 'array', items: ListedMission, description: 'The missions, newest first.' },
    more: { type: 'boolean', description: 'Whether there are older missions.' },
  },
  additionalProperties: false,
  title: 'Output of waybill mission list',
  description: 'The missions of a tenant.',
} as const

/** The output of `mission list`. */
export interface MissionListOutput {
  readonly state: string | null
  readonly missions: readonly ListedMissionParts[]
  readonly more: boolean
}
export default schema
