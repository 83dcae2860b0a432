import { MissionParts } from '../mission/output.ts'
import type { TypeOf } from '../operation.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const schema = {
  type: 'object',
  required: ['mission', 'tenant', 'root', 'artifacts', 'erased', 'entries', 'file'],
  properties: {
    mission: MissionParts.mission,
    tenant: MissionParts.tenant,
    root: { type: 'string', description: 'The digest of the mission, hex SHA-256.' },
    artifacts: count('How many artifacts it has.'),
    erased: count('How many of them were erased.'),
    entries: count('How many log entries it includes.'),
    file: { type: 'string', description: 'The path of the bundle, from the root or absolute.' },
  },
  additionalProperties: false,
  title: 'Output of waybill mission export',
  description: 'A mission as a bundle.',
} as const

/** The output of `mission export`. */
export type MissionExportOutput = TypeOf<typeof schema>
export default schema
