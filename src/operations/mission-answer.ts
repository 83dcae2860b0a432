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
      description: 'The result of the task, as JSON (default: standard input).',
    },
    by: { type: 'string', placeholder: 'person', description: 'The person who answers.' },
    key: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The key of that person: an SSH key or a P-256 key, listed under trust.',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Answers a task that waits for a person. */
export default defineOperation({
  name: 'mission answer',
  summary: 'Answer a task that waits for a person',
  description:
    'The answer has the form that an agent would return: the artifact of the task, or { "artifacts": [...] }; metadata ' +
    'fields may be omitted. It is checked like any other result, and the next worker continues the task. Who answered is ' +
    'recorded in the log; an answer approves no proposal of the task. A name without a key is accepted only with ' +
    'people: claimed in waybill.yaml.',
  examples: [
    {
      command:
        'waybill mission answer 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 review --file review.json --by ada --key ~/.ssh/id_ed25519',
      does: 'submit the review that the mission waits for, signed',
    },
  ],
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
  message: 'an answer needs --by <who>',
  hint: 'name the person who answers: --by <who>',
}
