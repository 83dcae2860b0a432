import { MissionStatus, type MissionStatusParts } from '../mission/output.ts'

const schema = {
  ...MissionStatus,
  title: 'Output of waybill mission watch',
} as const

/** The output of `mission watch`. */
export type MissionWatchOutput = MissionStatusParts
export default schema
