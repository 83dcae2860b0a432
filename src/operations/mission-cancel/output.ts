import { MissionStatus, type MissionStatusParts } from '../mission/output.ts'

const schema = {
  ...MissionStatus,
  title: 'Output of waybill mission cancel',
} as const

/** The output of `mission cancel`. */
export type MissionCancelOutput = MissionStatusParts
export default schema
