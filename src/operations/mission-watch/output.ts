import { MissionStatus, type MissionStatusParts } from '../mission/output.ts'

const schema = {
  ...MissionStatus,
  title: 'Output of waybill mission watch',
} as const

/** What `mission watch` answers. */
export type MissionWatchOutput = MissionStatusParts
export default schema
