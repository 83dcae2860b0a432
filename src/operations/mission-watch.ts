import { followMission } from './mission/following.ts'
import { MISSION_INPUT, TENANT_INPUT, tenantOf, withStore } from './mission/open.ts'
import type { MissionStatusParts } from './mission/output.ts'
import { partsOf } from './mission/parts.ts'
import { statusOf } from './mission/status.ts'
import type { MissionWatchOutput } from './mission-watch/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['mission'],
  properties: { mission: MISSION_INPUT, tenant: TENANT_INPUT },
} as const

type Input = TypeOf<typeof input>

/** Shows the progress of a mission until it ends. */
export default defineOperation({
  name: 'mission watch',
  summary: 'Show the progress of a mission until it ends',
  description:
    'Prints the status each time a task changes. With --format json, prints one JSON object per line. Ctrl-C stops ' +
    'watching and leaves the mission running. Exits with 1 when the mission fails or is cancelled.',
  examples: [
    { command: 'waybill mission watch 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10', does: 'watch it' },
  ],
  actor: 'human',
  effect: 'read',
  input,
  run: (given: Input, app: App): Promise<MissionWatchOutput> => {
    const tenant = tenantOf(given)
    return withStore(app, store => store.tenant(tenant, tx => statusOf(tx, tenant, given.mission)))
  },
  parts: watch,
  failedPart: part => {
    const state = (part as MissionStatusParts | undefined)?.state
    return state === 'failed' || state === 'cancelled'
  },
})

function watch(given: Input, app: App, format: string): AsyncGenerator<MissionStatusParts> {
  const which = { tenant: tenantOf(given), mission: given.mission }
  return partsOf(app, tell =>
    withStore(app, async (_, store) => {
      const follow = followMission(store, which, app, { ticking: format === 'text' })
      for await (const status of follow) tell(status)
    }),
  )
}
