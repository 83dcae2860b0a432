import { type ActOutput, actSchema } from '../state/output.ts'

const schema = actSchema(
  'Output of waybill state advance',
  'Whether the session moved, its phases before and after, and reasons for refusal.',
)

/** The output of `state advance`. */
export type StateAdvanceOutput = ActOutput
export default schema
