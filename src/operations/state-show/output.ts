import type { TypeOf } from '../operation.ts'
import { Diagnostics } from '../state/output.ts'

const Missing = {
  type: 'object',
  required: ['part', 'level', 'why'],
  properties: {
    part: { type: 'string', description: 'The part of the state, keys separated by dots.' },
    level: { enum: ['required', 'recommended'], description: 'How much it is called for.' },
    why: { type: 'string', description: 'What calls for it.' },
  },
  additionalProperties: false,
  description: 'One part that is not there.',
} as const

const schema = {
  type: 'object',
  required: ['path', 'shown', 'form', 'demanded', 'why', 'state', 'yaml', 'missing', 'diagnostics'],
  properties: {
    path: { type: 'string', description: 'The state file, from the root.' },
    shown: {
      type: 'boolean',
      description: 'Whether the state is shown: it is sound, and the form is enough for it.',
    },
    form: { enum: ['MIN', 'FULL'], description: 'The form that it is shown in.' },
    demanded: { enum: ['MIN', 'FULL'], description: 'The form that the state calls for.' },
    why: { type: 'string', description: 'Why it calls for that form.' },
    state: { description: 'The state in that form, an object; null where it is not shown.' },
    yaml: { type: ['string', 'null'], description: 'The same as a YAML text; secrets are masked.' },
    missing: {
      type: 'array',
      items: Missing,
      description: 'What the form needs in this phase and the state does not hold.',
    },
    diagnostics: Diagnostics('The errors of the state.'),
  },
  additionalProperties: false,
  title: 'Output of waybill state show',
  description: 'The state of a session in one of its two forms, and what is missing of it.',
} as const

/** What `state show` answers. */
export type StateShowOutput = TypeOf<typeof schema>
export default schema
