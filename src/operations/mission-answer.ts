import { answerTask } from '../mission/index.ts'
import { readAnswer } from './mission/answer.ts'
import { idOf, MISSION_INPUT, TENANT_INPUT, tenantOf, withStore } from './mission/open.ts'
import { statusOf } from './mission/status.ts'
import type { MissionAnswerOutput } from './mission-answer/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['mission', 'task'],
  properties: {
    mission: MISSION_INPUT,
    task: { type: 'string', positional: true, description: 'The task that waits for a person.' },
    file: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'What the task returns, as JSON (default: standard input).',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Answers a task that waits for a person. */
export default defineOperation({
  name: 'mission answer',
  summary: 'Answer a task that waits for a person',
  description:
    'The answer is what an agent would have returned: the artifact of the task, or { "artifacts": [...] }; metadata that ' +
    'every artifact has may be left out. It is checked like every other, and the task goes on with the next worker.',
  examples: [
    {
      command:
        'waybill mission answer 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 review --file review.json',
      does: 'give the review that the mission waits for',
    },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionAnswerOutput> {
  const { task, file } = given
  const mission = idOf(given.mission)
  const tenant = tenantOf(given)
  const answer = await readAnswer(file ?? '-', app)
  return withStore(app, async store => {
    await answerTask(store, { tenant, mission }, { task, answer })
    return store.tenant(tenant, tx => statusOf(tx, tenant, mission))
  })
}
