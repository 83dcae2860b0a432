import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['agent', 'event', 'outcome', 'rule', 'answer', 'record'],
  properties: {
    agent: { type: 'string', description: 'The coding agent.' },
    event: { type: 'string', description: 'Its name of the event.' },
    outcome: {
      enum: ['nothing', 'briefed', 'denied', 'asked', 'drafted', 'failed'],
      description:
        'What the answer does: nothing; give the model a brief; deny a tool call; ask the user about it, or the agent ' +
        'for a handoff; report a draft; or report a fault.',
    },
    rule: {
      type: ['string', 'null'],
      description: 'The standing rule, or the code of the gate, that decided; or null.',
    },
    answer: {
      anyOf: [
        {
          type: 'object',
          properties: {},
          additionalProperties: true,
          description: 'JSON that the agent reads.',
        },
        { type: 'string', description: 'Text that the agent reads.' },
      ],
      description: 'What is printed for the agent.',
    },
    record: {
      type: ['string', 'null'],
      description: 'The name of the record in .waybill/records, or null if nothing was decided.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill hook',
  description: 'What a hook answers to a coding agent.',
} as const

/** The output of `hook`. */
export type HookOutput = TypeOf<typeof schema>
export default schema
