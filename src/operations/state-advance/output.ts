import { type ActOutput, actSchema } from '../state/output.ts'

const schema = actSchema(
  'Output of waybill state advance',
  'Whether the session moved, from where to where, and else what speaks against it.',
)

/** What `state advance` answers. */
export type StateAdvanceOutput = ActOutput
export default schema
