import { changesSchema, type KeyChangesOutput } from '../key/output.ts'

const schema = changesSchema(
  'Output of waybill key rotate',
  'The new key, and which ones end to count.',
)

/** What `key rotate` answers. */
export type KeyRotateOutput = KeyChangesOutput
export default schema
