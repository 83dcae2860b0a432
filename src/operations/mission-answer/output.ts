import { MissionStatus, type MissionStatusParts } from '../mission/output.ts'

const schema = {
  ...MissionStatus,
  required: [...MissionStatus.required, 'answered'],
  properties: {
    ...MissionStatus.properties,
    answered: { type: 'string', description: 'The task that was answered.' },
  },
  title: 'Output of waybill mission answer',
} as const

/** The output of `mission answer`. */
export type MissionAnswerOutput = MissionStatusParts & { readonly answered: string }
export default schema
