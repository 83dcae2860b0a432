import type { MissionStatusParts } from '../mission/output.ts'
import { MissionStatus } from '../mission/output.ts'

const schema = {
  ...MissionStatus,
  title: 'Output of waybill mission status',
} as const

/** What `mission status` answers. */
export type MissionStatusOutput = MissionStatusParts
export default schema
