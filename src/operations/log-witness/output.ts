import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const sizeOrNull = (description: string) =>
  ({ type: ['integer', 'null'], minimum: 0, description }) as const

const Asked = {
  type: 'object',
  required: ['name', 'key', 'url', 'cosigned', 'fault'],
  properties: {
    name: text('Its name in the policy.'),
    key: text('Its key, as `<name>+<id>`.'),
    url: textOrNull(
      'Where it is asked; null where the policy does not say, or not in a form that can be used.',
    ),
    cosigned: textOrNull('When it cosigned this checkpoint, ISO 8601; null if it has not.'),
    fault: {
      anyOf: [
        {
          type: 'object',
          required: ['code', 'message', 'why', 'hint'],
          properties: {
            code: text('What went wrong, as waybill explain knows it.'),
            message: text('What happened.'),
            why: text('Why it matters.'),
            hint: text('What to do about it.'),
          },
          additionalProperties: false,
          description: 'What went wrong.',
        },
        { type: 'null', description: 'Nothing went wrong.' },
      ],
      description: 'Why it gave no cosignature now; null if it did.',
    },
  },
  additionalProperties: false,
  description: 'A witness, and what came of asking it.',
} as const

const schema = {
  anyOf: [
    {
      type: 'object',
      required: [
        ...['role', 'origin', 'size', 'root', 'policy', 'quorum', 'met', 'published'],
        ...['witnesses', 'note'],
      ],
      properties: {
        role: { const: 'log', description: 'Witnesses were asked to cosign the log here.' },
        origin: text('The name of the log.'),
        size: { type: 'integer', minimum: 0, description: 'How many entries were cosigned.' },
        root: text('The root of the tree, in hex.'),
        policy: text('The policy file, from the root if it is below it.'),
        quorum: text('The witness or group that the policy asks for, or `none`.'),
        met: { type: 'boolean', description: 'Whether enough of them have cosigned.' },
        published: {
          type: 'boolean',
          description:
            'Whether the cosignatures stand under the published checkpoint; not if the log has grown meanwhile.',
        },
        witnesses: { type: 'array', items: Asked, description: 'All witnesses of the policy.' },
        note: text('The signed checkpoint with the cosignatures, to the byte.'),
      },
      additionalProperties: false,
      description: 'The answer of a log that asked.',
    },
    {
      type: 'object',
      required: [
        ...['role', 'answer', 'status', 'key', 'origin', 'size', 'cosigned', 'line'],
        ...['fault', 'recorded'],
      ],
      properties: {
        role: { const: 'witness', description: 'The log of somebody else was to be cosigned.' },
        answer: { enum: ['cosigned', 'refused'], description: 'What came of it.' },
        status: { type: 'integer', description: 'The same as an HTTP status.' },
        key: text('The verifier key of this witness.'),
        origin: textOrNull('The name of the log; null where the request cannot be read.'),
        size: sizeOrNull('How many entries the checkpoint covers that was shown.'),
        cosigned: sizeOrNull('How many are cosigned after this; null where none ever were.'),
        line: textOrNull('The cosignature, with its newline; null if it was refused.'),
        fault: Asked.properties.fault,
        recorded: sizeOrNull('The entry with the security event; null where there is none.'),
      },
      additionalProperties: false,
      description: 'The answer of a witness.',
    },
  ],
  type: 'object',
  title: 'Output of waybill log witness',
  description: 'What witnesses said of the log here, or what was said as a witness of another.',
} as const

/** What `log witness` answers: as a log that asked, or as a witness. */
export type LogWitnessOutput = TypeOf<typeof schema>
/** A witness, and what came of asking it. */
export type AskedWitness = TypeOf<typeof Asked>
export default schema
