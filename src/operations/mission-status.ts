import { MISSION_INPUT, readingMission, TENANT_INPUT, tenantOf } from './mission/open.ts'
import { statusOf } from './mission/status.ts'
import type { MissionStatusOutput } from './mission-status/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['mission'],
  properties: { mission: MISSION_INPUT, tenant: TENANT_INPUT },
} as const

/** Shows the status of a mission. */
export default defineOperation({
  name: 'mission status',
  summary: 'Show the status of a mission and its tasks',
  description:
    'Shows the agent, state, attempts and failure of each task, and the time and tokens that are left.',
  examples: [
    {
      command: 'waybill mission status 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
      does: 'show its status',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionStatusOutput> {
  const tenant = tenantOf(given)
  return readingMission(app, given.mission, store =>
    store.tenant(tenant, tx => statusOf(tx, tenant, given.mission)),
  )
}
