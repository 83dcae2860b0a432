import { retryMission } from '../mission/index.ts'
import { idOf, MISSION_INPUT, TENANT_INPUT, tenantOf, withStore } from './mission/open.ts'
import { statusOf } from './mission/status.ts'
import type { MissionRetryOutput } from './mission-retry/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['mission'],
  properties: {
    mission: MISSION_INPUT,
    tenant: TENANT_INPUT,
    task: { type: 'string', placeholder: 'task', description: 'One failed task (default: all).' },
  },
} as const

/** Try the failed tasks of a mission again. */
export default defineOperation({
  name: 'mission retry',
  summary: 'Try the failed tasks of a mission again',
  description:
    'They have as many attempts, and the mission as much time, as at first. What others have produced stays. ' +
    'A mission of an orchestration file is refused where another one of that file runs, or is paused.',
  examples: [
    {
      command: 'waybill mission retry 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
      does: 'all that failed',
    },
    {
      command: 'waybill mission retry 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 --task review',
      does: 'one of them',
    },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionRetryOutput> {
  const mission = idOf(given.mission)
  const tenant = tenantOf(given)
  return withStore(app, async store => {
    await retryMission(store, { tenant, mission }, given.task)
    return store.tenant(tenant, tx => statusOf(tx, tenant, mission))
  })
}
