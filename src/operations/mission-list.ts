import { listRuns } from '../store/index.ts'
import { hasDatabase } from './database/open.ts'
import { numberIn, rangeOf } from './mission/numbers.ts'
import { TENANT_INPUT, tenantOf, withStore } from './mission/open.ts'
import { missionOf } from './mission/status.ts'
import type { MissionListOutput } from './mission-list/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const LIMIT = { flag: '--limit', most: 1000 } as const
const USUAL = 20

const input = {
  type: 'object',
  properties: {
    state: {
      type: 'string',
      enum: ['running', 'paused', 'finished', 'failed', 'cancelled'],
      description: 'Only missions in this state.',
    },
    limit: {
      type: 'integer',
      placeholder: 'number',
      description: `How many of the newest to list, ${rangeOf(LIMIT)} (default: ${USUAL}).`,
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Lists the missions of a tenant. */
export default defineOperation({
  name: 'mission list',
  summary: 'List missions, newest first',
  description: 'Shows their goals, states and numbers of open tasks.',
  examples: [
    { command: 'waybill mission list', does: 'list the newest twenty' },
    { command: 'waybill mission list --state failed', does: 'list those that failed' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionListOutput> {
  const { state } = given
  const limit = numberIn(LIMIT, given.limit ?? USUAL)
  const tenant = tenantOf(given)
  if (!hasDatabase(app)) return { state: state ?? null, missions: [], more: false }
  return withStore(app, store =>
    store.tenant(tenant, async tx => {
      const runs = await listRuns(tx, { limit: limit + 1, ...(state && { state }) })
      const missions = []
      for (const found of runs.slice(0, limit)) missions.push(await missionOf(tx, tenant, found))
      return { state: state ?? null, missions, more: runs.length > limit }
    }),
  )
}
