import { MissionStatus, type MissionStatusParts } from '../mission/output.ts'

const schema = {
  ...MissionStatus,
  title: 'Output of waybill mission cancel',
} as const

/** What `mission cancel` answers. */
export type MissionCancelOutput = MissionStatusParts
export default schema
