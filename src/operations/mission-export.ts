import { exportMission } from '../mission/index.ts'
import { refuseDash } from './gateway/write.ts'
import { openLedger } from './log/open.ts'
import { idOf, MISSION_INPUT, TENANT_INPUT, tenantOf, withStore } from './mission/open.ts'
import type { MissionExportOutput } from './mission-export/output.ts'
import { requirePlace } from './mission-export/place.ts'
import { writeLines } from './mission-export/write.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['mission', 'to'],
  properties: {
    mission: MISSION_INPUT,
    to: {
      type: 'string',
      path: true,
      makes: true,
      placeholder: 'file',
      description:
        'The bundle that is written, outside of .git and .waybill; what is there stays, unless --replace is given.',
    },
    replace: {
      type: 'boolean',
      description: 'Replace a bundle that is there, as one step; anything else stays.',
    },
    withoutLog: {
      type: 'boolean',
      description:
        'Take no entries of the log along, as for a mission that was imported: its handoffs stand in another log.',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Exports a mission as one bundle that can be verified offline. */
export default defineOperation({
  name: 'mission export',
  summary: 'Export a mission as one bundle, which anybody verifies offline',
  description:
    'A bundle holds every artifact, the state of the tasks, decisions, the entries of the log that tell of the mission ' +
    'with proofs, and a manifest of it all. The digest that is printed names it: tell it by another way to whoever gets ' +
    'the file. A mission may be exported while it runs; only one that has ended, or is paused, can be imported elsewhere.',
  examples: [
    {
      command:
        'waybill mission export 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 --to quiet-hours.mission.jsonl',
      does: 'write the bundle',
    },
  ],
  // It takes everything that a mission knows out of the installation.
  actor: 'human',
  effect: 'write',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionExportOutput> {
  refuseDash(given.to, '--to')
  const which = { tenant: tenantOf(given), mission: idOf(given.mission) }
  const placing = { app, replace: given.replace ?? false }
  // Nobody waits for a bundle that has no place.
  requirePlace(given.to, placing)
  const log = given.withoutLog ? undefined : (await openLedger(app)).log
  const exported = await withStore(app, store => exportMission(store, which, { now: app.now, log }))
  const { mission, root, artifacts, erased, entries } = exported
  const file = writeLines(given.to, exported.lines(), placing)
  return { mission, tenant: which.tenant, root, artifacts, erased, entries, file }
}
