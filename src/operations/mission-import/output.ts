import { Difference } from '../mission/output.ts'
import type { TypeOf } from '../operation.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const

const schema = {
  type: 'object',
  required: [
    ...(['outcome', 'mission', 'tenant', 'state', 'artifacts', 'tasks', 'root'] as const),
    ...(['exportedAt', 'origin', 'entries', 'evidence', 'differences'] as const),
  ],
  properties: {
    outcome: {
      enum: ['imported', 'was-there', 'verified', 'refused'],
      description:
        '`imported`; `was-there`: the same mission was there before; `verified`: of a dry run; `refused`: nothing was stored.',
    },
    mission: textOrNull('The mission of the bundle; null where it cannot be read.'),
    tenant: textOrNull('Whose mission it is, as the bundle says.'),
    state: {
      enum: ['running', 'paused', 'finished', 'failed', 'cancelled', null],
      description: 'What the mission did when it was exported.',
    },
    artifacts: count('How many artifacts it has.'),
    tasks: count('How many tasks it has.'),
    root: textOrNull('Names the mission as it is: hex SHA-256.'),
    exportedAt: textOrNull('When it was exported, as the bundle says.'),
    origin: textOrNull('The log that its entries come from.'),
    entries: count('How many entries of that log came along.'),
    evidence: {
      enum: ['verified', 'unverified', 'none'],
      description:
        'Whether a trusted key vouches for the entries; unverified: nobody was asked to; none: they are missing or refused.',
    },
    differences: { type: 'array', items: Difference, description: 'Why it was refused.' },
  },
  additionalProperties: false,
  title: 'Output of waybill mission import',
  description: 'What came of importing a mission.',
} as const

/** What `mission import` answers. */
export type MissionImportOutput = TypeOf<typeof schema>
export default schema
