import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { outputsOf } from '../mission-facts.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'

/** Does what its objective says, when as many have begun as it says. */
const AGENT = `import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
const { mission, task, tasks, pass, repair } = JSON.parse(readFileSync(0, 'utf8'))
const [what, others = '1', more] = task.objective.split(' ')
const planned = (task_id, role_type, depends_on = [], objective = 'works') => ({
  task_id, role_type, objective, depends_on, required_capabilities: [], allowed_tools: [], required_data_scopes: ['mission_metadata'],
  success_criteria: ['it is done'],
})
const graph = (...tasks) => ({ schema_name: 'mission_task_graph', tasks })
const packageFor = ({ task_id, role_type, objective }) => ({
  schema_name: 'prompt_package', task_id, role_type, template_id: 'own', template_version: 'v1', model_route: 'default',
  system_prompt: 'You do ' + task_id, task_prompt: objective, examples_used: [], tool_scope: [], output_schema: 'worker_result@v1',
  constraints: { must_cite_sources: false, must_not_writeback_directly: true },
})
const result = { output_text: 'done', structured_output: {}, citations: [], confidence: 1, tool_trace_refs: [] }
const review = { schema_name: 'review_packet', review_status: 'approved', issues: [], required_edits: [], approved_output: { summary: 'x' } }
const proposal = { schema_name: 'writeback_proposal', target_entity_type: 'lead', target_entity_id: 'lead_123', action_type: 'lead_update', payload: {}, requires_approval: true }
const does = {
  plans: () => graph(planned('w_' + task.task_id, 'worker')),
  leads: () => graph(planned('w_' + task.task_id, 'worker', ['prompt'])),
  prompts: () => ({ artifacts: tasks.map(packageFor) }),
  crosses: () => ({ artifacts: [
    graph(planned('late', 'worker', ['early'])),
    graph({ ...planned('early', 'researcher', [], 'finds'), required_data_scopes: ['documents'] }),
  ] }),
  finds: () => ({ provider: 'local', query: 'x', results: [] }),
  reviews: () => repair ? graph(planned('w_' + task.task_id, 'worker')) : graph(planned('r_' + task.task_id, 'reviewer', [], 'approves')),
  approves: () => review,
  proposes: () => ({ artifacts: [review, proposal] }),
  names: () => ({ ...result, result_id: repair ? 'wrk_' + task.task_id : 'wrk_001' }),
  works: () => result,
  lets: () => ({
    schema_name: 'librarian_pass', allowed_resource_families: [], recommended_queries: [], cached_previews: [],
    expires_at: new Date(Date.now() + 8000).toISOString(),
  }),
  dates: () => ({ ...result, created_at: new Date(Date.parse(pass.expires_at) - 1000).toISOString() }),
}
const folder = 'begun/' + mission.mission_id
const answer = () => {
  if (readdirSync('begun').filter(name => name.startsWith(mission.mission_id)).length < Number(others)) return setTimeout(answer, 20)
  if (what === 'dates' && Date.now() <= Date.parse(pass.expires_at)) return setTimeout(answer, 20)
  process.stdout.write(JSON.stringify(does[what]()))
}
writeFileSync(folder + '_' + task.task_id, '')
setTimeout(answer, Number(more ?? 0))
`

const PLANNER = 'domain-05-product'
const head = (agents: string) => HEAD.replace('tasks:', `agents: ${agents}\ntasks:`)
/** Many that answer at one moment. */
const MANY = Array.from({ length: 12 }, (_, i) => `p${i}`)
const TEMPLATES = {
  given: `${head(`{ plan: ${PLANNER}, prompt: ${PLANNER} }`)}${task('plan', 'planner', [], 'leads')}${task('prompt', 'prompt_master', ['plan'], 'prompts')}`,
  crossed: `${head(`{ plan: ${PLANNER} }`)}${task('plan', 'planner', [], 'crosses')}`,
  after: `${head(`{ one: ${PLANNER}, two: ${PLANNER} }`)}${task('one', 'planner', [], 'plans')}${task('two', 'planner', ['one'], 'plans')}`,
  parallel: `${head(`{ one: ${PLANNER}, two: ${PLANNER} }`)}${task('one', 'planner', [], 'plans 2')}${task('two', 'planner', [], 'plans 2')}`,
  many: `${head(`{ ${MANY.map(id => `${id}: ${PLANNER}`).join(', ')} }`)}${MANY.map(id => task(id, 'planner', [], 'plans 12')).join('')}`,
  twice: `${head(`{ one: ${PLANNER}, two: ${PLANNER} }`)}${task('one', 'planner', [], 'reviews 2')}${task('two', 'planner', [], 'reviews 2')}`,
  named: `${HEAD}${task('one', 'worker', [], 'names 2')}${task('two', 'worker', [], 'names 2')}`,
  passed: `${head(`{ lib: ${PLANNER} }`)}${task('lib', 'librarian', [], 'lets')}${task('one', 'worker', ['lib'], 'dates')}`,
  worked: `${head('{ late: domain-06-technical }')}${task('review', 'reviewer', [], 'proposes 2')}${task('late', 'worker', [], 'works 2 3000')}`,
}

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  repository.write('agents/agent.mjs', AGENT)
  repository.write('begun/.keep', '')
  const config = readFileSync(join(repository.root, 'waybill.yaml'), 'utf8')
  repository.write('waybill.yaml', config.replaceAll('mjs] }', 'mjs], seconds: 60 }'))
  for (const [name, text] of Object.entries(TEMPLATES))
    repository.write(`missions/templates/${name}.yaml`, text)
  repository.commit()
  await repository.worker({ concurrency: 16 })
})
afterAll(() => repository?.remove())

/** What a mission comes to: its tasks with their states and starts, and what they returned. */
async function comesTo(template: string) {
  const mission = await repository.begin(template)
  const status = await repository.reaches(mission, 'finished', 'failed')
  const outputs = await outputsOf(repository, mission, status)
  const tasks = status.tasks.map(one => `${one.task} ${one.state} ${one.attempt}`).toSorted()
  return { mission, status, tasks, outputs }
}

test('who writes prompts for what a planner has planned is believed that it is there', async () => {
  const { tasks, outputs } = await comesTo('given')
  expect(tasks).toEqual(['plan done 1', 'prompt done 1', 'w_plan done 1'])
  expect(outputs.map(({ name }) => name)).toContain('prompt_package')
})

test('graphs of one answer name tasks of each other, whichever comes first, and get what those have read', async () => {
  const { mission, tasks } = await comesTo('crossed')
  expect(tasks).toEqual(['early done 1', 'late done 1', 'plan done 1'])
  expect(await repository.mission('replay', mission)).toMatchObject({ code: 0 })
  expect(await repository.mission('export', mission, '--to', 'crossed.jsonl')).toMatchObject({
    code: 0,
  })
  const other = await openDatabase()
  const { ran } = repository.startAt(other.url, 'import', 'crossed.jsonl')
  expect(await ran).toMatchObject({ code: 0 })
  await other.remove()
})

test('many planners at one moment each do their work once', async () => {
  const { tasks } = await comesTo('many')
  expect(tasks).toEqual(
    [...MANY, ...MANY.map(id => `w_${id}`)].map(id => `${id} done 1`).toSorted(),
  )
})

test.each(['after', 'parallel'])('planners in the order %s need the same data', async template => {
  expect((await comesTo(template)).tasks).toEqual([
    'one done 1',
    'two done 1',
    'w_one done 1',
    'w_two done 1',
  ])
})

test('of two that plan a review at one moment one gets an error that another exists', async () => {
  const { tasks, outputs } = await comesTo('twice')
  expect(tasks.map(one => one.replace(/_(one|two)/, ''))).toEqual([
    'one done 1',
    'r done 1',
    'two done 1',
    'w done 1',
  ])
  expect(outputs.filter(({ name }) => name === 'review_packet')).toHaveLength(1)
})

test('of two that choose one id at one moment one is asked for another', async () => {
  const { tasks, outputs } = await comesTo('named')
  expect(tasks).toEqual(['one done 1', 'two done 1'])
  const ids = outputs.map(({ id }) => id)
  expect(ids).toContain('wrk_001')
  expect(new Set(ids).size).toBe(2)
})

test('who has proposed a write-back is no worker of the mission any more', async () => {
  const { tasks, status } = await comesTo('worked')
  expect(tasks).toEqual(['late failed 1', 'review done 1'])
  expect(status.tasks.find(one => one.task === 'late')?.reason).toMatchObject({
    code: 'mission/answer-refused',
    message: expect.stringContaining("is a worker of the mission: it wrote the result 'wrk_"),
  })
})

test('an answer that comes after its pass has ended is not taken, whatever time is written into it', async () => {
  const { tasks, status } = await comesTo('passed')
  expect(tasks).toEqual(['lib done 1', 'one failed 1'])
  expect(status.tasks.find(one => one.task === 'one')?.reason).toMatchObject({
    code: 'mission/answer-refused',
    message: expect.stringMatching(/was refused: the answer arrived after the pass '.*' expired/),
  })
})
