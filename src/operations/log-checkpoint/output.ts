import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['origin', 'size', 'root', 'note', 'signers', 'keys', 'gateway', 'keysOnly'],
  properties: {
    origin: { type: 'string', description: 'The name of the log.' },
    size: { type: 'integer', minimum: 0, description: 'How many entries it covers.' },
    root: { type: 'string', description: 'The root of the tree, in hex.' },
    note: { type: 'string', description: 'The signed note, to the byte.' },
    signers: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'log', 'witness', 'time'],
        properties: {
          key: { type: 'string', description: 'The key, as `<name>+<id>`.' },
          log: { type: 'boolean', description: 'Whether it is one of the log itself.' },
          witness: {
            type: ['string', 'null'],
            description:
              'Which witness of the configured policy it is, if its signature is good; else null.',
          },
          time: {
            type: ['string', 'null'],
            description: 'When that witness cosigned, ISO 8601.',
          },
        },
        additionalProperties: false,
        description: 'A signature under the note.',
      },
      description: 'Who signed it: the log, and witnesses.',
    },
    keys: {
      type: 'array',
      items: { type: 'string', description: 'One verifier key.' },
      description: 'The verifier keys of the log, as other tools configure them.',
    },
    gateway: {
      type: 'array',
      items: { type: 'string', description: 'One public key.' },
      description: 'The public keys of its gateway, which sign entries: base64 of the SPKI.',
    },
    keysOnly: { type: 'boolean', description: 'Whether only the keys were asked for.' },
  },
  additionalProperties: false,
  title: 'Output of waybill log checkpoint',
  description: 'What the log commits to, and the keys that check it.',
} as const

/** What `log checkpoint` answers. */
export type LogCheckpointOutput = TypeOf<typeof schema>
export default schema
