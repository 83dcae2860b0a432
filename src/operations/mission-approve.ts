import { DECIDING, decide } from './mission/deciding.ts'
import { HOURS_INPUT, numberIn, rangeOf } from './mission/numbers.ts'
import type { MissionApproveOutput } from './mission-approve/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const HOUR = 3_600_000

const input = {
  type: 'object',
  required: ['proposal'],
  properties: {
    ...DECIDING,
    hours: {
      type: 'integer',
      placeholder: 'number',
      description: `How many hours the approval may be acted on, ${rangeOf(HOURS_INPUT)} (default: 24).`,
    },
  },
} as const

/** Approves a write-back that a mission proposes. */
export default defineOperation({
  name: 'mission approve',
  summary: 'Approve a write-back that a mission proposes: state who says so, and why',
  description:
    'No agent changes anything outside: it proposes, and a person other than its producer decides. What is approved is ' +
    'exactly one proposal by its digest, once, and for a day; the statement is signed, recorded in the log, and the ' +
    'worker delivers the proposal to the destination that waybill.yaml names for its action. Nothing of a mission whose ' +
    'review does not let it out can be approved.',
  examples: [
    { command: 'waybill mission approve wb_7 --dry-run', does: 'see what would be approved' },
    {
      command:
        'waybill mission approve wb_7 --by ada --why "figures compared" --key ~/.ssh/id_ed25519',
      does: 'approve it, signed',
    },
  ],
  // A person stands for it.
  actor: 'human',
  effect: 'write',
  input,
  run: async (
    { hours, ...given }: TypeOf<typeof input>,
    app: App,
  ): Promise<MissionApproveOutput> => {
    const approved = numberIn(HOURS_INPUT, hours)
    const life = approved === undefined ? undefined : approved * HOUR
    return decide({ ...given, decision: 'approved', life }, app)
  },
})
