import type { MissionStatusParts } from '../mission/output.ts'
import { MissionStatus } from '../mission/output.ts'

const schema = {
  ...MissionStatus,
  title: 'Output of waybill mission status',
} as const

/** The output of `mission status`. */
export type MissionStatusOutput = MissionStatusParts
export default schema
