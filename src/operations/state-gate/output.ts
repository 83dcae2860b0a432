import { type ActOutput, actSchema } from '../state/output.ts'

const schema = actSchema(
  'Output of waybill state gate',
  'Whether the gate was set, what followed from it, and else what speaks against it.',
)

/** What `state gate` answers. */
export type StateGateOutput = ActOutput
export default schema
