import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import trace from '../../src/operations/trace.ts'
import { insertToolCall, readSnapshot } from '../../src/store/index.ts'
import { withRaw } from '../mission-facts.ts'
import { envelopeOf, graphOf, type Payload } from '../mission-payloads.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'
import { PROMPT } from '../mission-templates.ts'

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
})
afterAll(() => repository?.remove())

const ABSENT = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'

test('quietly a mission is run without a word, and one that fails says what did', async () => {
  const goal = ['--goal', 'Why', '--quiet']
  expect(await repository.mission('run', 'brief', ...goal)).toEqual({ code: 0, out: '', err: '' })
  const failed = await repository.mission('run', 'broken', ...goal)
  expect(failed).toMatchObject({ code: 1, err: '' })
  expect(failed.out.split('\n')).toEqual([
    expect.stringMatching(/^ {2}✗ look {2}failed {2}/),
    expect.stringMatching(/^✗ \S+ failed /),
    expect.stringMatching(/^ {2}\w/),
    expect.stringContaining('retries what failed'),
    '',
  ])
})

test('a mission runs to its end, task by task, each handed over and accepted', async () => {
  const { code, out, err } = await repository.mission('run', 'brief', '--goal', 'Find out')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const [, id = ''] = /● ([0-9a-f-]{36}) running/.exec(out) ?? []
  expect(out).toMatch(/✓ search {2}done/)
  expect(out).toMatch(new RegExp(`✓ ${id} finished [0-9.]+ m?s\\n`))
  expect(out).toContain(`waybill mission approve`)
  const status = await repository.status(id)
  expect(status.tasks.map(({ task, state }) => `${task} ${state}`)).toEqual([
    'search done',
    'count done',
    'weigh done',
    'join done',
    'review done',
  ])
  expect(status.artifacts.map(({ schemaName }) => schemaName)).toEqual([
    'research_artifact',
    'worker_result',
    'worker_result',
    'aggregation_packet',
    'review_packet',
    'writeback_proposal',
  ])
  expect(new Set(status.tasks.map(({ handoff }) => handoff)).size).toBe(5)
})

test('a worker works at an address that names no user before the host, as those of sockets', async () => {
  const url = new URL(repository.database.url)
  const { username, password } = url
  url.username = ''
  url.password = ''
  url.search = `user=${username}&password=${password}`
  const { child, ran } = repository.startAt(url.href, 'run', 'wide', '--goal', 'Find out')
  child.stdin.end()
  expect(await ran).toMatchObject({ code: 0 })
})

const PLAN = task('plan', 'planner', [])
test.each([
  [
    'one of its prompts asks for',
    `${task('first', 'researcher', [])}${task('then', 'worker', ['first'])}`,
  ],
  ['the prompts of a task ask for that its planner may plan', PLAN],
])('a mission that lacks what %s does not begin', async (_, tasks) => {
  const prompt = PROMPT.replace(
    '{{task.objective}}',
    '{{task.objective}} {{mission.context_refs.word}}',
  )
  repository.write('missions/templates/prompts/asks/v1.yaml', prompt)
  const agents = tasks === PLAN ? 'agents: { plan: domain-05-product }\n' : ''
  const head = HEAD.replace('tasks:', `${agents}prompts: { worker: asks@v1 }\ntasks:`)
  repository.write('missions/templates/asks.yaml', `${head}${tasks}`)
  const { code, err } = await repository.mission('submit', 'asks', '--goal', 'Find out')
  expect(code).toBe(2)
  expect(err).toContain("the mission has no context reference 'word', which its template requires")
  const submit = ['submit', 'asks', '--goal', 'Find out', '--context', 'word=given']
  expect(await repository.mission(...submit)).toMatchObject({ code: 0 })
})

test('every id of a mission leads to its story', async () => {
  const mission = await repository.submit('brief')
  const worker = await repository.worker()
  await repository.reaches(mission, 'finished', 'failed')
  await worker.stop()
  const ref = `toolcall_${mission}`
  const { store } = repository.database
  const snapshot = await store.tenant('default', async tx => {
    await insertToolCall(tx, { ...CALL, ref, mission, startedAt: new Date().toISOString() })
    return readSnapshot(tx, mission)
  })
  const { artifacts = [], tasks = [] } = snapshot ?? {}
  expect(new Set(artifacts.map(({ name }) => name)).size).toBeGreaterThan(6)
  const own = artifacts.flatMap(({ id, digest }) => [id, digest])
  const ids = [...own, ...tasks.map(({ handoff }) => String(handoff)), mission.toUpperCase(), ref]
  for (const id of ids.filter(one => !one.startsWith('pkg_'))) {
    const traced = await trace.run({ id }, repository.missionApp())
    expect({ id, mission: traced.mission?.mission }).toEqual({ id, mission })
  }
  // However its letters are written, the log knows it as well.
  const shouted = await trace.run({ id: mission.toUpperCase() }, repository.missionApp())
  expect(shouted.kinds).toEqual(['mission'])
  const notes: string[] = []
  const app = { ...repository.missionApp(), tell: (line: string) => void notes.push(line) }
  // What several missions have leads to the newest, and the others are named.
  expect((await trace.run({ id: 'pkg_join' }, app)).mission?.mission).toBe(mission)
  expect(notes).toEqual([expect.stringMatching(/^other missions with this id: [0-9a-f-]{36}/)])
  expect((await trace.run({ id: 'rev_of_nobody' }, repository.missionApp())).mission).toBeNull()
})

const CALL = {
  tool: 'search',
  server: null,
  task: 'count',
  attempt: 1,
  decision: 'allow',
  policies: [],
  argsDigest: null,
  resultDigest: null,
  resultBytes: 0,
  cut: 0,
  isError: false,
  ms: 1,
} as const

test('an agent is not run whose prompt is not the locked one, and the rest stays as it is', async () => {
  repository.write('prompts/domain-05-product.md', 'You are another agent.\n')
  const id = await repository.submit('brief')
  const worker = await repository.worker()
  const status = await repository.reaches(id, 'failed', 'finished')
  await worker.stop()
  repository.write('prompts/domain-05-product.md', 'You are domain-05-product.\n')
  expect(status.state).toBe('failed')
  const states = Object.fromEntries(status.tasks.map(({ task, state }) => [task, state]))
  expect(states).toMatchObject({ search: 'done', join: 'blocked', review: 'blocked' })
  expect(states.count).toBe('failed')
  const count = status.tasks.find(({ task }) => task === 'count')
  expect(count?.reason?.code).toMatch(/^(?:agent-handoff|gateway)\//)
  expect(count?.failures).toBe(1)
})

test('nothing waits in the queue behind a mission that is paused or cancelled', async () => {
  const id = await repository.submit('wide')
  const waiting = () =>
    withRaw(repository.database.url, async raw => {
      const [found] = await raw.rows(
        undefined,
        `select count(*)::integer as n from dbos.workflow_status
           where status in ('ENQUEUED', 'DELAYED') and workflow_uuid like '%' || $1 || '%'`,
        [id],
      )
      return found?.n
    })
  const counts = [await waiting()]
  for (const verb of ['pause', 'resume', 'cancel']) {
    expect((await repository.mission(verb, id)).code).toBe(0)
    counts.push(await waiting())
  }
  expect(counts).toEqual([8, 0, 8, 0])
})

test.each([
  [
    "a template together with an envelope of one's own",
    ['run', 'brief', '--goal', 'x', '--envelope', 'a.json', '--graph', 'b.json'],
    2,
    "the mission is described twice: by the template 'brief' and by --envelope",
  ],
  ['an export to nowhere', ['export', ABSENT], 2, "required option '--to <file>' not specified"],
  ['one to standard output', ['export', ABSENT, '--to', '-'], 2, '--to takes a file'],
  ['one to an empty path', ['export', ABSENT, '--to', ''], 2, 'name a file'],
  ['no template and no goal', ['run'], 2, 'no mission is described'],
  ['a template and no goal', ['run', 'brief'], 2, 'the goal of the mission is missing'],
  ['an envelope and no graph', ['run', '--envelope', 'a.json'], 2, '--envelope needs --graph'],
  ['a graph and no envelope', ['run', '--graph', 'a.json'], 2, '--graph needs --envelope'],
  [
    'a template that is not there',
    ['run', 'nothing', '--goal', 'x'],
    2,
    "no mission template 'nothing'",
  ],
  ['a mission that is not there', ['status', ABSENT], 2, `there is no mission ${ABSENT}`],
  ['what is no id', ['status', 'x'], 2, 'there is no mission x'],
  ['another tenant', ['list', '--tenant', 'other'], 0, 'no missions'],
  [
    'a state in which none is',
    ['list', '--state', 'failed', '--tenant', 'other'],
    0,
    'no missions are failed',
  ],
  [
    'context without a value',
    ['submit', 'brief', '--goal', 'x', '--context', 'a'],
    2,
    'is not key=value',
  ],
])('%s', async (_, args, code, says) => {
  const ran = await repository.mission(...args)
  expect(ran.code).toBe(code)
  expect(ran.out + ran.err).toContain(says)
})

test('another tenant cannot look at a mission, or do anything to it', async () => {
  const id = await repository.submit('brief')
  const more: Readonly<Record<string, readonly string[]>> = {
    answer: ['review', '--file', 'waybill.yaml', '--by', 'ada'],
    export: ['--to', 'theirs.jsonl'],
  }
  const verbs = [
    ...['status', 'show', 'graph', 'watch', 'replay', 'export'],
    ...['answer', 'pause', 'resume', 'retry', 'cancel'],
  ]
  for (const verb of verbs) {
    const ran = await repository.mission(verb, id, ...(more[verb] ?? []), '--tenant', 'other')
    expect({ verb, ...ran }).toMatchObject({ verb, code: 2, out: '' })
    expect(ran.err).toContain(`there is no mission ${id}`)
  }
  expect(existsSync(join(repository.root, 'theirs.jsonl'))).toBe(false)
  expect((await repository.mission('list', '--tenant', 'other')).out).toBe('no missions\n')
  const story = await repository.waybill('trace', id, '--tenant', 'other')
  expect(story.out).not.toContain('Find out')
  expect((await repository.status(id)).state).toBe('running')
  expect((await repository.mission('cancel', id)).code).toBe(0)
})

test.each<[string, { readonly tasks?: readonly Payload[] }, Payload, string]>([
  ['without tasks', { tasks: [] }, {}, 'mission/no-tasks'],
  ['with a long id', { tasks: [{ task_id: 'x'.repeat(6_700) }] }, {}, 'mission/id-too-long'],
  [
    'with an id that is kept',
    { tasks: [{ task_id: 'waybill:writeback:wb_1' }] },
    {},
    'mission/id-not-free',
  ],
  [
    'with two reviewers',
    { tasks: ['one', 'two'].map(task_id => ({ task_id, role_type: 'reviewer' })) },
    {},
    'mission/one-reviewer',
  ],
  [
    'with time that no date can tell',
    {},
    { time_budget_ms: Number.MAX_SAFE_INTEGER },
    'mission/time-too-long',
  ],
])('a mission %s is not begun', async (_, { tasks }, more, code) => {
  const mission = randomUUID()
  const graph = graphOf(mission, { one: [] })
  const [whole] = graph.tasks as Payload[]
  const plain = { ...whole, role_type: 'worker' }
  const planned = tasks?.map(own => ({ ...plain, ...own })) ?? [plain]
  repository.write('envelope.json', JSON.stringify(envelopeOf(mission, 'default', more)))
  repository.write('graph.json', JSON.stringify({ ...graph, tasks: planned }))
  const ran = await repository.mission(
    ...['submit', '--envelope', 'envelope.json', '--graph', 'graph.json', '--format', 'json'],
  )
  expect(ran).toMatchObject({ code: 1, err: '' })
  expect(JSON.parse(ran.out)).toMatchObject({
    faults: [{ code, path: expect.stringMatching(/^\//), hint: expect.any(String) }],
  })
})

test('a reference that a template asks for is named with the way to give it', async () => {
  repository.write(
    'missions/templates/asks.yaml',
    `${HEAD}${task('one', 'worker', [], 'Look at {{mission.context_refs.lead}}')}`,
  )
  const ran = await repository.mission('submit', 'asks', '--goal', 'Find out')
  expect(ran).toMatchObject({ code: 2, out: '' })
  expect(ran.err).toContain('give it with --context lead=…')
})

test.each([
  ...['retry', 'cancel', 'pause', 'watch', 'graph', 'answer'].map(verb => [
    verb,
    'there is no mission x',
  ]),
  ['resume', 'the whole id of a mission'],
])('%s reports what is no id as that', async (verb = '', words = '') => {
  const more = verb === 'answer' ? ['review', '--file', 'waybill.yaml', '--by', 'ada'] : []
  const ran = await repository.mission(verb, 'x', ...more)
  expect(ran).toMatchObject({ code: 2, out: '' })
  expect(ran.err).toContain(words)
})
