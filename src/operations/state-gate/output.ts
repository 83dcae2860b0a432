import { type ActOutput, actSchema } from '../state/output.ts'

const schema = actSchema(
  'Output of waybill state gate',
  'Whether the gate was set, the resulting changes, and reasons for refusal.',
)

/** The output of `state gate`. */
export type StateGateOutput = ActOutput
export default schema
