import { replayMission } from '../mission/index.ts'
import { openLedger } from './log/open.ts'
import { idOf, MISSION_INPUT, TENANT_INPUT, tenantOf, withStore } from './mission/open.ts'
import type { MissionReplayOutput } from './mission-replay/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['mission'],
  properties: {
    mission: MISSION_INPUT,
    withoutLog: {
      type: 'boolean',
      description:
        'Hold no log against it, as for one that was imported: its handoffs stand in another log.',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Rebuilds a mission from its artifacts, and reports what differs. */
export default defineOperation({
  name: 'mission replay',
  summary: 'Rebuild a mission from its artifacts alone, and report what differs',
  description:
    'Every digest is computed again, every artifact checked against its contract with all that the mission has, and ' +
    'states, counts, outputs and decisions are held against what the artifacts lead to; then the log, against what was ' +
    'handed over and decided. What was erased is no difference; where the graph of tasks was, what it would tell of their ' +
    'states is undecided, and said to be. Nothing is run, and nothing is changed.',
  examples: [
    {
      command: 'waybill mission replay 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
      does: 'see whether it is what its artifacts say',
    },
    { command: 'waybill explain replay', does: 'list what a replay can find' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run,
  failed: ({ differences }) => differences.length > 0,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionReplayOutput> {
  const which = { tenant: tenantOf(given), mission: idOf(given.mission) }
  const log = given.withoutLog ? undefined : (await openLedger(app)).log
  const { now, signal } = app
  const replayed = await withStore(app, store => replayMission(store, which, { now, log, signal }))
  const { mission, state, artifacts, tasks, erased, undecided, root, differences } = replayed
  return {
    ...{ mission, tenant: which.tenant, state, artifacts, tasks, root, log: replayed.log },
    erased: [...erased],
    undecided: undecided.map(({ path, message }) => ({ path, message })),
    differences: differences.map(({ code, path, message }) => ({ code, path, message })),
  }
}
