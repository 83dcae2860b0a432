import { changesSchema } from '../key/output.ts'
import type { TypeOf } from '../operation.ts'

const changes = changesSchema(
  'Output of waybill key revoke',
  'The keys that do not count any more.',
)

const schema = {
  ...changes,
  required: [...changes.required, 'orphaned'],
  properties: {
    ...changes.properties,
    orphaned: {
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'How many entries of the log here only a revoked key has signed for; null where another vouches for them, or there are none.',
    },
  },
} as const

/** What `key revoke` answers. */
export type KeyRevokeOutput = TypeOf<typeof schema>
export default schema
