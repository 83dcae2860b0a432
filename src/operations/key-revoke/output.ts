import { changesSchema, type KeyChangesOutput } from '../key/output.ts'

const schema = changesSchema('Output of waybill key revoke', 'The keys that do not count any more.')

/** What `key revoke` answers. */
export type KeyRevokeOutput = KeyChangesOutput
export default schema
