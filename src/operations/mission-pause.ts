import { WaybillError } from '../error.ts'
import { pauseMission, resumeMission } from '../mission/index.ts'
import type { Store } from '../store/index.ts'
import type { MissionHandoffParts } from './mission/handoff/output.ts'
import { writeHandoff } from './mission/handoff/write.ts'
import { idOf, MISSION_INPUT, TENANT_INPUT, tenantOf, theRun, withStore } from './mission/open.ts'
import { statusOf } from './mission/status.ts'
import type { MissionPauseOutput } from './mission-pause/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['mission'],
  properties: {
    mission: MISSION_INPUT,
    handoff: {
      type: 'string',
      path: true,
      placeholder: 'where',
      description:
        'Write a handoff document about it: into this folder, as this .md file, or in the handoffs folder of a decision record (ADR-…) or work item (OBPI-…).',
    },
    adr: {
      type: 'string',
      placeholder: 'id',
      description:
        'The decision record of the handoff, such as ADR-0.0.25 (default: from the folder, the branch or existing handoffs).',
    },
    agent: {
      type: 'string',
      placeholder: 'name',
      description: 'Who writes the handoff (default: your name).',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Pauses a mission: running tasks finish and no new ones start. */
export default defineOperation({
  name: 'mission pause',
  summary: 'Pause a mission: running tasks finish, no new ones start',
  description:
    'The time budget stops until the mission is resumed. --handoff also writes a handoff document for another session, ' +
    'checked as waybill new checks it: finished tasks (each artifact with its digest), open tasks, decisions and how to ' +
    'resume; its session_id is the mission id. If the document is refused, the mission is not paused. A mission that is ' +
    'paused already gets only the document.',
  examples: [
    {
      command: 'waybill mission pause 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
      does: 'pause it',
    },
    {
      command: 'waybill mission pause 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 --handoff ADR-0.0.25',
      does: 'pause it and write a handoff for the next session',
    },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run,
  failed: ({ handoff }) => handoff?.accepted === false,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionPauseOutput> {
  const { handoff: where, adr, agent } = given
  if (where === undefined && (adr ?? agent) !== undefined)
    throw new WaybillError('usage', `${adr === undefined ? '--agent' : '--adr'} needs --handoff`, {
      hint: 'say where to write the document: --handoff <where>',
    })
  const mission = idOf(given.mission)
  const tenant = tenantOf(given)
  return withStore(app, async store => {
    const statusNow = () => store.tenant(tenant, tx => statusOf(tx, tenant, mission))
    if (where === undefined) {
      await pauseMission(store, { tenant, mission })
      return { ...(await statusNow()), handoff: null }
    }
    const { state } = await store.tenant(tenant, tx => theRun(tx, mission))
    const wanted = { tenant, mission, where, adr, agent }
    const tried = await writeHandoff({ ...wanted, dryRun: true }, store, app)
    if (!tried.accepted) return { ...(await statusNow()), handoff: tried }
    const write = () => writeHandoff({ ...wanted, path: tried.path }, store, app)
    const handoff =
      state === 'paused' ? await write() : await whilePaused(write, { tenant, mission }, store)
    return { ...(await statusNow()), handoff }
  })
}

/** Pauses a mission while its document is written, and resumes it when the document is refused. */
async function whilePaused(
  write: () => Promise<MissionHandoffParts>,
  which: { readonly tenant: string; readonly mission: string },
  store: Store,
): Promise<MissionHandoffParts> {
  await pauseMission(store, which)
  let isWritten = false
  try {
    const handoff = await write()
    isWritten = handoff.accepted
    return handoff
  } finally {
    // The mission may have ended meanwhile: still return the problems of the document.
    if (!isWritten) await resumeMission(store, which).catch(() => undefined)
  }
}
