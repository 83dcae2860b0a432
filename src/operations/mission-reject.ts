import { DECIDING, decide } from './mission/deciding.ts'
import type { MissionRejectOutput } from './mission-reject/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = { type: 'object', required: ['proposal'], properties: DECIDING } as const

/** Rejects a write-back that a mission proposes. */
export default defineOperation({
  name: 'mission reject',
  summary: 'Reject a write-back that a mission proposes: state who says so, and why',
  description:
    'A proposal is decided on once: what was rejected is never delivered, and has to be proposed anew. The statement is ' +
    'recorded in the log, as an approval is.',
  examples: [
    {
      command: 'waybill mission reject wb_7 --by ada --why "wrong customer"',
      does: 'say no to it',
    },
  ],
  // A person stands for it.
  actor: 'human',
  effect: 'write',
  input,
  run: (given: TypeOf<typeof input>, app: App): Promise<MissionRejectOutput> =>
    decide({ ...given, decision: 'rejected' }, app),
})
