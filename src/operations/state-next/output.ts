import type { TypeOf } from '../operation.ts'
import { Diagnostics, StateSummary } from '../state/output.ts'

const Step = {
  type: 'object',
  required: ['pointer', 'phase', 'open', 'diagnostics'],
  properties: {
    pointer: { type: 'string', description: 'The value of Next for the step.' },
    phase: { type: ['string', 'null'], description: 'Its phase; null for PR-Ready.' },
    open: { type: 'boolean', description: 'Whether the session may take it now.' },
    diagnostics: Diagnostics('What prevents it.'),
  },
  additionalProperties: false,
  description: 'One possible next step.',
} as const

const schema = {
  type: 'object',
  required: ['path', 'accepted', 'asked', 'state', 'mayWriteCode', 'steps', 'inTheWay'],
  properties: {
    path: { type: 'string', description: 'The state file, from the root.' },
    sha256: {
      type: 'string',
      description: 'The SHA-256 of its bytes, for --expect; omitted with --may-write-code.',
    },
    accepted: { type: 'boolean', description: 'Whether the state has no errors.' },
    asked: { enum: ['next', 'may-write-code'], description: 'The question.' },
    state: StateSummary,
    mayWriteCode: {
      type: 'object',
      required: ['answer', 'rule', 'reason', 'hint'],
      properties: {
        answer: { type: 'boolean', description: 'Whether code may be written now.' },
        rule: { type: 'string', description: 'The code of the deciding rule.' },
        reason: { type: 'string', description: 'The reason.' },
        hint: {
          type: ['string', 'null'],
          description: 'How to get permission; null when there is none.',
        },
      },
      additionalProperties: false,
      description: 'Whether code may be written now.',
    },
    steps: { type: 'array', items: Step, description: 'The possible next steps, in order.' },
    inTheWay: Diagnostics('What prevents the step that Next names.'),
  },
  additionalProperties: false,
  title: 'Output of waybill state next',
  description: 'The possible next steps, what prevents them, and whether code may be written.',
} as const

/** The output of `state next`. */
export type StateNextOutput = TypeOf<typeof schema>
export default schema
