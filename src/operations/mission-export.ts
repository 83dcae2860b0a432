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
        'The bundle to write, outside of .git and .waybill; an existing file is kept unless --replace is given.',
    },
    replace: {
      type: 'boolean',
      description: 'Replace an existing bundle atomically; other files are never replaced.',
    },
    withoutLog: {
      type: 'boolean',
      description:
        'Leave out log entries, for an imported mission whose handoffs are in another log.',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Exports a mission as one bundle that can be verified offline. */
export default defineOperation({
  name: 'mission export',
  summary: 'Export a mission as one bundle that can be verified offline',
  description:
    'A bundle holds every artifact, the task states, the decisions, the log entries about the mission with their proofs, ' +
    'and a manifest. The printed digest identifies it: send it to the recipient over another channel. A running mission ' +
    'can be exported, but only an ended or paused one can be imported.',
  examples: [
    {
      command:
        'waybill mission export 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 --to quiet-hours.mission.jsonl',
      does: 'write the bundle',
    },
  ],
  // A bundle takes everything about the mission out of the installation.
  actor: 'human',
  effect: 'write',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionExportOutput> {
  refuseDash(given.to, '--to')
  const which = { tenant: tenantOf(given), mission: idOf(given.mission) }
  const placing = { app, replace: given.replace ?? false }
  // Check the path before the work of building a bundle.
  requirePlace(given.to, placing)
  const log = given.withoutLog ? undefined : (await openLedger(app)).log
  const exported = await withStore(app, store => exportMission(store, which, { now: app.now, log }))
  const { mission, root, artifacts, erased, entries } = exported
  const file = writeLines(given.to, exported.lines(), placing)
  return { mission, tenant: which.tenant, root, artifacts, erased, entries, file }
}
