import { Difference, MissionParts } from '../mission/output.ts'
import type { TypeOf } from '../operation.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const schema = {
  type: 'object',
  required: [
    ...(['mission', 'tenant', 'state', 'artifacts', 'tasks', 'erased', 'root', 'log'] as const),
    ...(['undecided', 'differences'] as const),
  ],
  properties: {
    mission: MissionParts.mission,
    tenant: MissionParts.tenant,
    state: MissionParts.state,
    artifacts: count('How many artifacts it has.'),
    tasks: count('How many tasks it has.'),
    erased: {
      type: 'array',
      items: { type: 'string', description: 'A JSON Pointer.' },
      description: 'The locations of erased artifacts.',
    },
    undecided: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'string',
            description: 'What was erased or is unreliable, as a JSON Pointer.',
          },
          message: { type: 'string', description: 'What cannot be determined.' },
        },
        additionalProperties: false,
        description: 'One undecided point.',
      },
      description:
        'What cannot be decided because the evidence was erased or times contradict each other.',
    },
    root: {
      type: 'string',
      description: 'The digest of the mission, hex SHA-256; its bundle has the same.',
    },
    log: { type: 'boolean', description: 'Whether it was compared with a log.' },
    differences: { type: 'array', items: Difference, description: 'Empty when consistent.' },
  },
  additionalProperties: false,
  title: 'Output of waybill mission replay',
  description: 'The result of replaying a mission.',
} as const

/** The output of `mission replay`. */
export type MissionReplayOutput = TypeOf<typeof schema>
export default schema
