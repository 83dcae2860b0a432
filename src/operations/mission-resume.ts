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
      description: 'The id of the mission, or its handoff document.',
    },
    as: {
      type: 'string',
      placeholder: 'agent',
      description: 'Who resumes from the document (default: your name in Git).',
    },
    verifiedBy: {
      type: 'string',
      placeholder: 'who',
      description: 'The person who verified that a stale document still holds.',
    },
    note: {
      type: 'string',
      placeholder: 'why',
      description: 'Why it still holds; required with --verified-by.',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Resumes a paused mission. */
export default defineOperation({
  name: 'mission resume',
  summary: 'Resume a paused mission',
  description:
    'Tasks that are ready are queued. Instead of the id it accepts a handoff document from waybill mission pause: the ' +
    'document is checked and its use recorded as by waybill resume, and the mission must have every artifact that it ' +
    'names, by digest. The mission stays paused when the document is refused, or when another mission of the same ' +
    'orchestration file is running or paused.',
  examples: [
    { command: 'waybill mission resume 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10', does: 'resume it' },
    {
      command: 'waybill mission resume handoffs/2026-02-11T14-30-00Z-mission-3f1c9a52.md',
      does: 'resume it from its handoff document',
    },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run,
  failed: ({ handoff }) => handoff?.accepted === false,
})

type Input = TypeOf<typeof input>

/** Inputs that only apply to a document. */
const OF_DOCUMENTS = { as: '--as', verifiedBy: '--verified-by', note: '--note' } as const

/** Refuses inputs that would have no effect without a document. */
function refuseIdle(given: Input): void {
  const names = Object.keys(OF_DOCUMENTS) as (keyof typeof OF_DOCUMENTS)[]
  const idle = names.find(name => given[name] !== undefined)
  if (idle === undefined || !isMissionId(given.mission)) return
  throw new WaybillError('usage', `${OF_DOCUMENTS[idle]} needs a handoff document`, {
    hint: 'pass the handoff document of the mission instead of its id, or omit the flag',
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
    // Record no resumption of a mission that cannot resume.
    const isUsed = document && state === 'paused'
    const handoff = isUsed ? await resumeFrom(document, given, { tenant, store, app }) : null
    if (handoff?.accepted !== false) await resumeMission(store, { tenant, mission })
    return { ...(await store.tenant(tenant, tx => statusOf(tx, tenant, mission))), handoff }
  })
}
