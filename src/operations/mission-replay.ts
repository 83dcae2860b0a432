import { replayMission } from '../mission/index.ts'
import { openLedger } from './log/open.ts'
import { idOf, MISSION_INPUT, readingMission, TENANT_INPUT, tenantOf } from './mission/open.ts'
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
        'Compare with no log, for an imported mission whose handoffs are in another log.',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Rebuilds a mission from its artifacts and reports differences. */
export default defineOperation({
  name: 'mission replay',
  summary: 'Rebuild a mission from its artifacts and report differences',
  description:
    'Recomputes every digest, checks every artifact against its contract, and compares states, counts, outputs and ' +
    'decisions with what the artifacts imply; then compares the log with the handoffs and decisions. Erased artifacts are ' +
    'not differences; what an erased task graph would prove is reported as undecided. Runs nothing and changes nothing. ' +
    'Exits with 1 when there are differences.',
  examples: [
    {
      command: 'waybill mission replay 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
      does: 'check that it matches its artifacts',
    },
    { command: 'waybill explain replay', does: 'list the differences a replay can report' },
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
  const replayed = await readingMission(app, which.mission, store =>
    replayMission(store, which, { now, log, signal }),
  )
  const { mission, state, artifacts, tasks, erased, undecided, root, differences } = replayed
  return {
    ...{ mission, tenant: which.tenant, state, artifacts, tasks, root, log: replayed.log },
    erased: [...erased],
    undecided: undecided.map(({ path, message }) => ({ path, message })),
    differences: differences.map(({ code, path, message }) => ({ code, path, message })),
  }
}
