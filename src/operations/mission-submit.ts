import { TENANT_INPUT } from './mission/open.ts'
import { statusOf } from './mission/status.ts'
import { requireMeaning, SUBMISSION, submit } from './mission/submitting.ts'
import { withWorks } from './mission/working.ts'
import type { MissionSubmitOutput } from './mission-submit/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: { ...SUBMISSION, tenant: TENANT_INPUT },
} as const

/** Begins a mission, and leaves it to the workers. */
export default defineOperation({
  name: 'mission submit',
  summary: 'Begin a mission, and leave it to the workers',
  description:
    'Envelope, task graph and the decisions of the guard are checked, and stored together or not at all; the first tasks ' +
    'are queued. A worker (waybill mission work) does them.',
  examples: [
    {
      command: 'waybill mission submit issue-brief --goal "Why do reminders arrive at night?"',
      does: 'begin a mission of a template',
    },
    {
      command: 'waybill mission submit --envelope envelope.json --graph graph.json',
      does: 'begin one with an envelope and a graph of your own',
    },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run,
  failed: ({ mission }) => mission === null,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionSubmitOutput> {
  requireMeaning(given, app)
  return withWorks(app, async works => {
    const submitted = await submit(given, works)
    if ('faults' in submitted) return { mission: null, faults: submitted.faults, status: null }
    const { mission, tenant } = submitted
    const status = await works.store.tenant(tenant, tx => statusOf(tx, tenant, mission))
    return { mission, faults: [], status }
  })
}
