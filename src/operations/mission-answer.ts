import { answerAs } from '../mission/index.ts'
import { loadConfig } from '../workspace/index.ts'
import { withGateway } from './gateway/open.ts'
import { namedIn } from './gateway/stated.ts'
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
    by: { type: 'string', placeholder: 'person', description: 'Who answers it.' },
    key: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The key of that person, an SSH key or a P-256 key, listed under trust.',
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
    'every artifact has may be left out. It is checked like every other, and the task goes on with the next worker. ' +
    'Who has answered is recorded in the log, and decides on nothing that the task proposes. A mere name is taken only ' +
    'where waybill.yaml says people: claimed.',
  examples: [
    {
      command:
        'waybill mission answer 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 review --file review.json --by ada --key ~/.ssh/id_ed25519',
      does: 'give the review that the mission waits for, signed',
    },
  ],
  // A person stands for it.
  actor: 'human',
  effect: 'write',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionAnswerOutput> {
  const { task, file, key: keyFile } = given
  const { by } = namedIn(given, LACKING)
  const mission = idOf(given.mission)
  const tenant = tenantOf(given)
  const answer = await readAnswer(file ?? '-', app)
  return withStore(app, async store => {
    const config = await loadConfig(app.root)
    const said = { tenant, mission, task, answer, by, keyFile }
    await withGateway(app, config, gateway => answerAs(store, gateway, said))
    const status = await store.tenant(tenant, tx => statusOf(tx, tenant, mission))
    return { ...status, answered: task }
  })
}

const LACKING = {
  message: 'somebody has to stand for the answer',
  hint: 'name who answers: --by <who>',
}
