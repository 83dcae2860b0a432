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
        '`imported`; `was-there`: it had been imported before; `verified`: dry run; `refused`: nothing was stored.',
    },
    mission: textOrNull('The mission of the bundle; null when unreadable.'),
    tenant: textOrNull('The tenant that the bundle names.'),
    state: {
      enum: ['running', 'paused', 'finished', 'failed', 'cancelled', null],
      description: 'The state of the mission when it was exported.',
    },
    artifacts: count('How many artifacts it has.'),
    tasks: count('How many tasks it has.'),
    root: textOrNull('The digest of the mission, hex SHA-256.'),
    exportedAt: textOrNull('When it was exported, according to the bundle.'),
    origin: textOrNull('The log of its entries.'),
    entries: count('How many log entries it includes.'),
    evidence: {
      enum: ['verified', 'unverified', 'none'],
      description:
        'Whether a trusted key signed the log entries; unverified: with --unproved; none: missing or refused.',
    },
    differences: { type: 'array', items: Difference, description: 'Why it was refused.' },
  },
  additionalProperties: false,
  title: 'Output of waybill mission import',
  description: 'The result of importing a mission.',
} as const

/** The output of `mission import`. */
export type MissionImportOutput = TypeOf<typeof schema>
export default schema
