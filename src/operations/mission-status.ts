import { MISSION_INPUT, TENANT_INPUT, tenantOf, withStore } from './mission/open.ts'
import { statusOf } from './mission/status.ts'
import type { MissionStatusOutput } from './mission-status/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['mission'],
  properties: { mission: MISSION_INPUT, tenant: TENANT_INPUT },
} as const

/** Says how far a mission is. */
export default defineOperation({
  name: 'mission status',
  summary: 'Say how far a mission is, task by task',
  description:
    'For each task who does it, what it does, how often it was tried and why it failed; for the mission what is left of ' +
    'its time and its tokens.',
  examples: [
    {
      command: 'waybill mission status 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
      does: 'how far it is',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionStatusOutput> {
  const tenant = tenantOf(given)
  return withStore(app, store => store.tenant(tenant, tx => statusOf(tx, tenant, given.mission)))
}
