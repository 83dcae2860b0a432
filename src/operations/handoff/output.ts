import created, { type NewOutput } from '../new/output.ts'
import type { TypeOf } from '../operation.ts'

const schema = {
  ...created,
  required: [...created.required, 'suggested'],
  properties: {
    ...created.properties,
    suggested: {
      type: 'array',
      items: { type: 'string', description: 'A path from the root.' },
      description: 'Files changed since the last handoff, added to the evidence from Git.',
    },
  },
  title: 'Output of waybill handoff',
  description: 'The new handoff, the fields that were filled in and those that are missing.',
} as const

/** The output of `handoff`. */
export type HandoffOutput = NewOutput & Pick<TypeOf<typeof schema>, 'suggested'>
export default schema
