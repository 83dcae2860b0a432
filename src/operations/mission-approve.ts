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
      description: `How many hours the approval is valid, ${rangeOf(HOURS_INPUT)} (default: 24).`,
    },
  },
} as const

/** Approves a write-back that a mission proposes. */
export default defineOperation({
  name: 'mission approve',
  summary: 'Approve a proposed write-back of a mission',
  description:
    'Agents only propose changes outside of the repository; a person other than the producer approves each one. An ' +
    'approval covers one proposal by its digest, once, for a day by default. It is signed and recorded in the log, and ' +
    'the worker delivers the proposal to the destination that waybill.yaml names for its action. Approval is refused ' +
    'while the review of the mission does not allow delivery.',
  examples: [
    { command: 'waybill mission approve wb_7 --dry-run', does: 'show the proposal first' },
    {
      command:
        'waybill mission approve wb_7 --by ada --why "figures compared" --key ~/.ssh/id_ed25519',
      does: 'approve it, signed',
    },
  ],
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
