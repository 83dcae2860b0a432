import { MissionHandoff, type MissionHandoffParts } from '../mission/handoff/output.ts'
import { MissionStatus, type MissionStatusParts } from '../mission/output.ts'

const schema = {
  ...MissionStatus,
  required: [...MissionStatus.required, 'handoff'],
  properties: { ...MissionStatus.properties, handoff: MissionHandoff },
  title: 'Output of waybill mission pause',
} as const

/** The output of `mission pause`. */
export type MissionPauseOutput = MissionStatusParts & {
  readonly handoff: MissionHandoffParts | null
}
export default schema
