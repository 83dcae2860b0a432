import type { TypeOf } from '../operation.ts'
import { Diagnostics } from '../state/output.ts'

const Missing = {
  type: 'object',
  required: ['part', 'level', 'why'],
  properties: {
    part: { type: 'string', description: 'The part of the state, keys separated by dots.' },
    level: { enum: ['required', 'recommended'], description: 'How important it is.' },
    why: { type: 'string', description: 'What requires it.' },
  },
  additionalProperties: false,
  description: 'One missing part.',
} as const

const schema = {
  type: 'object',
  required: ['path', 'shown', 'form', 'demanded', 'why', 'state', 'yaml', 'missing', 'diagnostics'],
  properties: {
    path: { type: 'string', description: 'The state file, from the root.' },
    shown: {
      type: 'boolean',
      description: 'Whether the state is shown: it is valid and the form is sufficient.',
    },
    form: { enum: ['MIN', 'FULL'], description: 'The form.' },
    demanded: { enum: ['MIN', 'FULL'], description: 'The form that the state requires.' },
    why: { type: 'string', description: 'Why it requires that form.' },
    state: { description: 'The state in that form, an object; null when not shown.' },
    yaml: { type: ['string', 'null'], description: 'The same as YAML; secrets are masked.' },
    missing: {
      type: 'array',
      items: Missing,
      description: 'Parts that the form requires in this phase and that are missing.',
    },
    diagnostics: Diagnostics('The errors of the state.'),
  },
  additionalProperties: false,
  title: 'Output of waybill state show',
  description: 'The state of a session in short or full form, and its missing parts.',
} as const

/** The output of `state show`. */
export type StateShowOutput = TypeOf<typeof schema>
export default schema
