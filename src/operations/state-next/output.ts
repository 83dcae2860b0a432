import type { TypeOf } from '../operation.ts'
import { Diagnostics, StateSummary } from '../state/output.ts'

const Step = {
  type: 'object',
  required: ['pointer', 'phase', 'open', 'diagnostics'],
  properties: {
    pointer: { type: 'string', description: 'How Next names the step.' },
    phase: { type: ['string', 'null'], description: 'Its phase; null for PR-Ready.' },
    open: { type: 'boolean', description: 'Whether the session may go there now.' },
    diagnostics: Diagnostics('What speaks against going there now.'),
  },
  additionalProperties: false,
  description: 'One step that the order of phases lets follow.',
} as const

const schema = {
  type: 'object',
  required: ['path', 'accepted', 'asked', 'state', 'mayWriteCode', 'steps', 'inTheWay'],
  properties: {
    path: { type: 'string', description: 'The state file, from the root.' },
    sha256: {
      type: 'string',
      description:
        'The SHA-256 of its bytes, for --expect; left out where only code was asked about.',
    },
    accepted: { type: 'boolean', description: 'Whether the state holds no error.' },
    asked: { enum: ['next', 'may-write-code'], description: 'What was asked.' },
    state: StateSummary,
    mayWriteCode: {
      type: 'object',
      required: ['answer', 'rule', 'reason', 'hint'],
      properties: {
        answer: { type: 'boolean', description: 'Whether code may be written now.' },
        rule: { type: 'string', description: 'The code of the rule that decided.' },
        reason: { type: 'string', description: 'Why, in words.' },
        hint: { type: ['string', 'null'], description: 'What to do; null where nothing is.' },
      },
      additionalProperties: false,
      description: 'Whether code may be written now.',
    },
    steps: { type: 'array', items: Step, description: 'The steps that may follow, in order.' },
    inTheWay: Diagnostics('What keeps the session from going on to where Next points.'),
  },
  additionalProperties: false,
  title: 'Output of waybill state next',
  description:
    'What may come next and why, what stands in the way, and whether code may be written.',
} as const

/** What `state next` answers. */
export type StateNextOutput = TypeOf<typeof schema>
export default schema
