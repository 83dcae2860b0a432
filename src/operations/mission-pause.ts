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
        'Write a handoff document about it: into this folder, as this .md file, or where those of a decision record (ADR-…) or work item (OBPI-…) stand.',
    },
    adr: {
      type: 'string',
      placeholder: 'id',
      description:
        'The decision record that the handoff belongs to, such as ADR-0.0.25 (default: that of the folder, the branch, or the handoffs that there are).',
    },
    agent: {
      type: 'string',
      placeholder: 'name',
      description: 'Who writes the handoff (default: your name).',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Pause a mission: what runs is finished, and nothing new starts. */
export default defineOperation({
  name: 'mission pause',
  summary: 'Pause a mission: what runs is finished, and nothing new starts',
  description:
    'Its time budget stands still until it goes on. With --handoff it is left to another session: a document as waybill ' +
    'new writes it, checked in full, says what is done (each artifact with its digest), which tasks are open, what was ' +
    'decided, and how to go on; its session_id is the id of the mission. Where the document is refused the mission is ' +
    'not paused; one that is paused already gets a document.',
  examples: [
    {
      command: 'waybill mission pause 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
      does: 'let nothing new start',
    },
    {
      command: 'waybill mission pause 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 --handoff ADR-0.0.25',
      does: 'leave it to the next session',
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
    throw new WaybillError(
      'usage',
      `${adr === undefined ? '--agent' : '--adr'} is about a document, and none is to be written`,
      {
        hint: 'say where it is to be written: --handoff <where>',
      },
    )
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

/** Pauses a mission for its document; where that does not come to stand after all, the mission goes on. */
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
    // Its last task may have ended meanwhile, and the mission with it: what the document lacks is told all the same.
    if (!isWritten) await resumeMission(store, which).catch(() => undefined)
  }
}
