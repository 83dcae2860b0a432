import { afterAll, beforeAll, expect, test } from 'vitest'
import { outputsOf } from '../mission-facts.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'

/** Writes prompts and passes for the tasks that it gets; a worker says what it got. */
const AGENT = `import { readFileSync } from 'node:fs'
const { task, tasks, prompt, pass } = JSON.parse(readFileSync(0, 'utf8'))
const packageFor = ({ task_id, role_type, objective, allowed_tools }) => ({
  schema_name: 'prompt_package', task_id, role_type, template_id: 'own', template_version: 'v1', model_route: 'default',
  system_prompt: 'You do ' + task_id, task_prompt: objective, examples_used: [], tool_scope: allowed_tools,
  output_schema: role_type === 'worker' ? 'worker_result@v1' : 'librarian_pass@v1',
  constraints: { must_cite_sources: false, must_not_writeback_directly: true },
})
const passFor = ({ task_id }) => ({
  schema_name: 'librarian_pass', task_id, allowed_resource_families: [task_id], recommended_queries: [],
  cached_previews: [], expires_at: new Date(Date.now() + 3600000).toISOString(),
})
const made = {
  prompt_master: () => ({ artifacts: tasks.map(packageFor) }),
  librarian: () => ({ artifacts: tasks.map(passFor) }),
  worker: () => ({
    output_text: 'done', citations: [{ kind: 'internal', ref: 'lead_123' }], confidence: 1, tool_trace_refs: [],
    structured_output: { given: tasks ?? null, prompt: prompt.system_prompt, families: pass?.allowed_resource_families ?? null },
  }),
}
process.stdout.write(JSON.stringify(made[task.role_type]()))
`

const [FIRST, NEXT] = ['domain-05-product', 'domain-02-analysis']

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  repository.write('agents/agent.mjs', AGENT)
  repository.write(
    'missions/templates/given.yaml',
    `${HEAD.replace('tasks:', `agents: { prompts: ${FIRST}, passes: ${NEXT} }\ntasks:`)}${task('aside', 'worker', [])}${task('prompts', 'prompt_master', [])}${task('passes', 'librarian', ['prompts'])}${task('one', 'worker', ['passes'])}${task('two', 'worker', ['one'])}`,
  )
  repository.commit()
})
afterAll(() => repository?.remove())

test('an agent that writes prompts or passes gets the tasks that come after, and no other; other agents get none', async () => {
  const worker = await repository.worker()
  const mission = await repository.begin('given')
  const status = await repository.reaches(mission, 'finished', 'failed')
  expect(status).toMatchObject({ state: 'finished' })
  const outputs = await outputsOf(repository, mission, status)
  const of = (name: string) =>
    outputs.filter(output => output.name === name).map(({ payload }) => payload)
  expect(of('prompt_package').map(payload => payload?.task_id)).toEqual(['passes', 'one', 'two'])
  expect(of('librarian_pass').map(payload => payload?.task_id)).toEqual(['one', 'two'])
  expect(of('worker_result').map(payload => payload?.structured_output)).toEqual([
    expect.objectContaining({ given: null, families: null }),
    { given: null, prompt: 'You do one', families: ['one'] },
    { given: null, prompt: 'You do two', families: ['two'] },
  ])
  await worker.stop()
})
