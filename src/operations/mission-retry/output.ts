import { MissionStatus, type MissionStatusParts } from '../mission/output.ts'

const schema = {
  ...MissionStatus,
  title: 'Output of waybill mission retry',
} as const

/** The output of `mission retry`. */
export type MissionRetryOutput = MissionStatusParts
export default schema
