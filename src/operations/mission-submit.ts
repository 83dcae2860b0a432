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

/** Submits a mission for the workers to run. */
export default defineOperation({
  name: 'mission submit',
  summary: 'Submit a mission for the workers to run',
  description:
    'Checks the envelope, the task graph and the guard decisions, stores them in one transaction and queues the first ' +
    'tasks. A worker (waybill mission work) runs them. Exits with 1 when the mission is refused.',
  examples: [
    {
      command: 'waybill mission submit issue-brief --goal "Why do reminders arrive at night?"',
      does: 'submit a mission from a template',
    },
    {
      command: 'waybill mission submit --envelope envelope.json --graph graph.json',
      does: 'submit your own envelope and graph',
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
