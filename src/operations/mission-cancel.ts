import { cancelMission } from '../mission/index.ts'
import { mustBePlain } from './gateway/stated.ts'
import { idOf, MISSION_INPUT, TENANT_INPUT, tenantOf, withStore } from './mission/open.ts'
import { statusOf } from './mission/status.ts'
import type { MissionCancelOutput } from './mission-cancel/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { followEnded } from './pipeline/follow-ended.ts'

const input = {
  type: 'object',
  required: ['mission'],
  properties: {
    mission: MISSION_INPUT,
    tenant: TENANT_INPUT,
    why: {
      type: 'string',
      placeholder: 'reason',
      description: 'The reason; shown with the mission.',
    },
  },
} as const

/** Cancels a mission and its running tasks. */
export default defineOperation({
  name: 'mission cancel',
  summary: 'Cancel a mission and its running tasks',
  description:
    'No task starts any more, and late results are refused. Existing artifacts are kept.',
  examples: [
    {
      command: 'waybill mission cancel 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 --why "wrong customer"',
      does: 'cancel it',
    },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionCancelOutput> {
  const mission = idOf(given.mission)
  const tenant = tenantOf(given)
  const { why = 'cancelled' } = given
  mustBePlain(why)
  return withStore(app, async store => {
    const run = await cancelMission(store, { tenant, mission }, why)
    await followEnded({ tenant, mission: run.mission }, store, app)
    return store.tenant(tenant, tx => statusOf(tx, tenant, mission))
  })
}
