import { WaybillError } from '../error.ts'
import { resumeMission } from '../mission/index.ts'
import { mustBePlain } from './gateway/stated.ts'
import { isMissionId, readMissionDocument, resumeFrom } from './mission/handoff/read.ts'
import { TENANT_INPUT, tenantOf, theRun, withStore } from './mission/open.ts'
import { statusOf } from './mission/status.ts'
import type { MissionResumeOutput } from './mission-resume/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['mission'],
  properties: {
    mission: {
      type: 'string',
      positional: true,
      placeholder: 'mission|file',
      description: 'The id of the mission, or the handoff document that was written about it.',
    },
    as: {
      type: 'string',
      placeholder: 'agent',
      description: 'Who goes on from the document (default: your name, as Git knows it).',
    },
    verifiedBy: {
      type: 'string',
      placeholder: 'who',
      description: 'The person who verified that a stale document still holds.',
    },
    note: {
      type: 'string',
      placeholder: 'why',
      description: 'Why it still holds; goes with --verified-by.',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Go on with a mission that is paused. */
export default defineOperation({
  name: 'mission resume',
  summary: 'Go on with a mission that is paused',
  description:
    'What became ready meanwhile is queued. A handoff document of waybill mission pause takes the place of the id: it is ' +
    'checked, its staleness told and its use recorded as waybill resume does, and the mission has to have every artifact ' +
    'that it names, by digest; where it is refused the mission stays paused. So ' +
    'does a mission of an orchestration file where another one of that file runs, or is paused as well.',
  examples: [
    { command: 'waybill mission resume 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10', does: 'go on' },
    {
      command: 'waybill mission resume handoffs/2026-02-11T14-30-00Z-mission-3f1c9a52.md',
      does: 'go on from the document that was left',
    },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run,
  failed: ({ handoff }) => handoff?.accepted === false,
})

type Input = TypeOf<typeof input>

/** What is said of the document from which somebody goes on. */
const OF_DOCUMENTS = { as: '--as', verifiedBy: '--verified-by', note: '--note' } as const

/** Nobody may believe that something was recorded of a document where none is named. */
function refuseIdle(given: Input): void {
  const names = Object.keys(OF_DOCUMENTS) as (keyof typeof OF_DOCUMENTS)[]
  const idle = names.find(name => given[name] !== undefined)
  if (idle === undefined || !isMissionId(given.mission)) return
  throw new WaybillError('usage', `${OF_DOCUMENTS[idle]} is about a document, and none is named`, {
    hint: 'name the handoff document of the mission in the place of its id, or leave it out',
  })
}

async function run(given: Input, app: App): Promise<MissionResumeOutput> {
  mustBePlain(given.note ?? '')
  refuseIdle(given)
  const tenant = tenantOf(given)
  const document = isMissionId(given.mission)
    ? undefined
    : await readMissionDocument(given.mission, app)
  const mission = document?.mission ?? given.mission
  return withStore(app, async store => {
    const { state } = await store.tenant(tenant, tx => theRun(tx, mission))
    // Where nothing can go on it is not recorded that somebody has gone on.
    const isUsed = document && state === 'paused'
    const handoff = isUsed ? await resumeFrom(document, given, { tenant, store, app }) : null
    if (handoff?.accepted !== false) await resumeMission(store, { tenant, mission })
    return { ...(await store.tenant(tenant, tx => statusOf(tx, tenant, mission))), handoff }
  })
}
