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
    url: textOrNull('Its URL; null if the policy has none, or an unusable one.'),
    cosigned: textOrNull('Time of its cosignature of this checkpoint, ISO 8601, or null.'),
    fault: {
      anyOf: [
        {
          type: 'object',
          required: ['code', 'message', 'why', 'hint'],
          properties: {
            code: text('The code; waybill explain describes it.'),
            message: text('The error, in words.'),
            why: text('Why it matters.'),
            hint: text('What to do about it.'),
          },
          additionalProperties: false,
          description: 'The error.',
        },
        { type: 'null', description: 'No error.' },
      ],
      description: 'Why it gave no cosignature, or null.',
    },
  },
  additionalProperties: false,
  description: 'A witness and its answer.',
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
        role: { const: 'log', description: 'This log asked witnesses.' },
        origin: text('The name of the log.'),
        size: { type: 'integer', minimum: 0, description: 'Number of entries in the checkpoint.' },
        root: text('The root hash of the tree, in hex.'),
        policy: text('Path of the policy file, from the root if below it.'),
        quorum: text('The witness or group that the policy requires, or `none`.'),
        met: { type: 'boolean', description: 'Whether the quorum is met.' },
        published: {
          type: 'boolean',
          description:
            'Whether the cosignatures are published; false if the log has grown in the meantime.',
        },
        witnesses: { type: 'array', items: Asked, description: 'All witnesses of the policy.' },
        note: text('The exact signed checkpoint with the cosignatures.'),
      },
      additionalProperties: false,
      description: 'The output for a log that asked witnesses.',
    },
    {
      type: 'object',
      required: [
        ...['role', 'answer', 'status', 'key', 'origin', 'size', 'cosigned', 'line'],
        ...['fault', 'recorded'],
      ],
      properties: {
        role: { const: 'witness', description: 'This repository acted as a witness.' },
        answer: { enum: ['cosigned', 'refused'], description: 'The answer.' },
        status: { type: 'integer', description: 'The answer as an HTTP status.' },
        key: text('The verifier key of this witness.'),
        origin: textOrNull('The name of the log; null if the request cannot be read.'),
        size: sizeOrNull('Number of entries in the requested checkpoint.'),
        cosigned: sizeOrNull('Number of entries cosigned so far, or null.'),
        line: textOrNull('The cosignature, with its newline; null if refused.'),
        fault: Asked.properties.fault,
        recorded: sizeOrNull('The index of the entry with the security event, or null.'),
      },
      additionalProperties: false,
      description: 'The output of a witness.',
    },
  ],
  type: 'object',
  title: 'Output of waybill log witness',
  description: 'The answers of witnesses, or the answer as a witness.',
} as const

/** The output of `log witness`, as a log that asked or as a witness. */
export type LogWitnessOutput = TypeOf<typeof schema>
/** A witness and its answer. */
export type AskedWitness = TypeOf<typeof Asked>
export default schema
