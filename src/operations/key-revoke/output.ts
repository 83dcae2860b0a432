import { changesSchema } from '../key/output.ts'
import type { TypeOf } from '../operation.ts'

const changes = changesSchema('Output of waybill key revoke', 'The revoked keys.')

const schema = {
  ...changes,
  required: [...changes.required, 'orphaned'],
  properties: {
    ...changes.properties,
    orphaned: {
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'Number of entries of this log signed only by a revoked key; null if a valid key has signed them, or there are none.',
    },
  },
} as const

/** The output of `key revoke`. */
export type KeyRevokeOutput = TypeOf<typeof schema>
export default schema
