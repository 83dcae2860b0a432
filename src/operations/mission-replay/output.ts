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
      description: 'Where erased artifacts stood.',
    },
    undecided: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'string',
            description: 'What was erased or cannot be relied on, as a JSON Pointer.',
          },
          message: { type: 'string', description: 'What nobody can tell.' },
        },
        additionalProperties: false,
        description: 'One thing that cannot be decided.',
      },
      description:
        'What cannot be decided: what would tell it was erased, or times contradict each other.',
    },
    root: {
      type: 'string',
      description: 'Names the mission as it is: hex SHA-256, the same as of its bundle.',
    },
    log: { type: 'boolean', description: 'Whether a log was held against it.' },
    differences: { type: 'array', items: Difference, description: 'Empty when all is well.' },
  },
  additionalProperties: false,
  title: 'Output of waybill mission replay',
  description: 'What came of replaying a mission.',
} as const

/** What `mission replay` answers. */
export type MissionReplayOutput = TypeOf<typeof schema>
export default schema
