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

/** Retries the failed tasks of a mission. */
export default defineOperation({
  name: 'mission retry',
  summary: 'Retry the failed tasks of a mission',
  description:
    'The tasks get all their attempts again, and the mission its full time budget. Other results are kept. Refused when ' +
    'another mission of the same orchestration file is running or paused.',
  examples: [
    {
      command: 'waybill mission retry 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
      does: 'retry all failed tasks',
    },
    {
      command: 'waybill mission retry 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 --task review',
      does: 'retry one task',
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
