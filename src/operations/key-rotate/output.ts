import { changesSchema, type KeyChangesOutput } from '../key/output.ts'

const schema = changesSchema(
  'Output of waybill key rotate',
  'The new key and the keys it replaces.',
)

/** The output of `key rotate`. */
export type KeyRotateOutput = KeyChangesOutput
export default schema
