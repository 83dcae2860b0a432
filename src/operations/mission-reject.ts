import { DECIDING, decide } from './mission/deciding.ts'
import type { MissionRejectOutput } from './mission-reject/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = { type: 'object', required: ['proposal'], properties: DECIDING } as const

/** Rejects a write-back that a mission proposes. */
export default defineOperation({
  name: 'mission reject',
  summary: 'Reject a proposed write-back of a mission',
  description:
    'A proposal is decided once: a rejected one is never delivered and must be proposed again. The decision is recorded ' +
    'in the log.',
  examples: [
    {
      command: 'waybill mission reject wb_7 --by ada --why "wrong customer"',
      does: 'reject it',
    },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run: (given: TypeOf<typeof input>, app: App): Promise<MissionRejectOutput> =>
    decide({ ...given, decision: 'rejected' }, app),
})
