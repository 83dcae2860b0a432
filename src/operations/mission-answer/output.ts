import { MissionStatus, type MissionStatusParts } from '../mission/output.ts'

const schema = {
  ...MissionStatus,
  title: 'Output of waybill mission answer',
} as const

/** What `mission answer` answers. */
export type MissionAnswerOutput = MissionStatusParts
export default schema
