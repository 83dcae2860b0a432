import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openA2aServer } from '../a2a-server.ts'
import { withRaw } from '../mission-facts.ts'
import { type MissionRepository, openMissionRepository, type Ran } from '../mission-repository.ts'
import { openModelServer } from '../model-server.ts'
import { PIPELINE, PIPELINE_AGENT } from '../pipeline-agents.ts'
import { comesTrue } from '../processes.ts'

let one: MissionRepository
let other: MissionRepository
beforeAll(async () => {
  one = await openMissionRepository()
  // The database of both is removed once.
  other = await openMissionRepository('', { ...one.database, remove: async () => {} })
  for (const { write } of [one, other]) write('agents/agent.mjs', PIPELINE_AGENT)
})
afterAll(async () => {
  await other?.remove()
  await one?.remove()
})

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  for (const { root } of [one, other])
    for (const name of ['go', 'ran.txt', 'out', 'ORCHESTRATION.yaml'])
      rmSync(join(root, name), { recursive: true, force: true })
})

const ran = ({ root }: MissionRepository) =>
  readFileSync(join(root, 'ran.txt'), 'utf8').split('\n').filter(Boolean).sort()

const file = ({ root }: MissionRepository) => readFileSync(join(root, 'ORCHESTRATION.yaml'), 'utf8')

const RUN = ['pipeline', 'run', '--format', 'json'] as const

async function run({ waybill }: MissionRepository) {
  return readRan(await waybill(...RUN))
}

function readRan({ code, out, err }: Ran) {
  if (out === '') throw new Error(err)
  return { code, err, ...JSON.parse(out) }
}

const EVERYONE = ['nse-risk-001', 'ps-analyst-002', 'ps-critic-003', 'ps-researcher-001']

/** What the owner of the database says, so that another repository may have it. */
const belongsToNobody = () =>
  withRaw(one.database.url, ({ client }) => client.query('delete from waybill.installation'))

test('two who run one pipeline at once share a mission, and every agent runs once for each attempt', async () => {
  one.write('ran.txt', '')
  one.write('ORCHESTRATION.yaml', PIPELINE.replace('SECOND', 'WAIT'))
  const apart = () => one.startOther(one.database.url, ...RUN).ran.then(readRan)
  const running = Promise.all([apart(), apart()])
  const workers = 'select from waybill.workers'
  const areBothThere = () =>
    withRaw(one.database.url, async raw => (await raw.rows(undefined, workers)).length === 2)
  expect(await comesTrue(areBothThere, 60_000)).toBe(true)
  one.write('go', '')
  const both = await running
  expect(both).toMatchObject([
    { code: 0, complete: true },
    { code: 0, complete: true },
  ])
  expect(both[0].mission).toBe(both[1].mission)
  expect(both.map(({ continued }) => continued).sort()).toEqual([false, true])
  // A machine that is too busy to renew a lease for three seconds makes another attempt of a task.
  const { tasks } = await one.peek(both[0].mission)
  const begun = tasks.flatMap(({ task, attempt }) => Array(attempt).fill(task.split('/').at(-1)))
  expect(ran(one)).toEqual(begun.sort())
  expect([...new Set(begun)]).toEqual(EVERYONE)
  expect(load(file(one))).toMatchObject({ metrics: { agents_executed: 4, agents_percent: 100 } })
  expect(file(one)).toContain('# the plan')
})

test('a repository whose database is that of another does nothing there, and says why', async () => {
  one.write('ORCHESTRATION.yaml', PIPELINE)
  await run(one)
  other.write('ORCHESTRATION.yaml', PIPELINE)
  for (const args of [
    ['pipeline', 'run'],
    ['mission', 'work'],
    ['mission', 'run', 'brief', '--goal', 'Find out'],
    ['mission', 'submit', 'brief', '--goal', 'Find out'],
  ]) {
    const { code, err, out } = await other.waybill(...args)
    expect({ args, code, out }).toEqual({ args, code: 2, out: '' })
    expect(err).toContain('the database belongs to another repository, with the log')
    expect(err).toContain('use another database (DATABASE_URL)')
  }
})

test('a repository that takes the place of another has a pipeline of its own in the same file', async () => {
  one.write('ran.txt', '')
  one.write('ORCHESTRATION.yaml', PIPELINE.replace('SECOND', 'WAIT'))
  const first = run(one)
  expect(await comesTrue(() => ran(one).length === 4, 60_000)).toBe(true)
  const [{ mission = '' } = {}] = JSON.parse(
    (await one.mission('list', '--limit', '1', '--format', 'json')).out,
  ).missions
  expect((await one.mission('pause', mission)).code).toBe(0)
  one.write('go', '')
  expect(await comesTrue(() => /ps-critic-003, status: COMPLETE/.test(file(one)), 60_000)).toBe(
    true,
  )
  expect(await first).toMatchObject({ mission })
  await belongsToNobody()
  other.write('ORCHESTRATION.yaml', PIPELINE.replace('SECOND', 'WAIT'))
  other.write('go', '')
  const second = await run(other)
  expect(second).toMatchObject({ code: 0, complete: true, continued: false })
  expect(second.mission).not.toBe(mission)
  expect(ran(other)).toEqual(EVERYONE)
  await belongsToNobody()
})

/** The session context that an agent answers with. */
const contextOf = (kind: string) => ({
  schema_version: '1.0.0',
  session_id: 's-1',
  source_agent: { id: kind, family: 'ps' },
  target_agent: { id: 'ps-analyst', family: 'ps' },
  timestamp: new Date().toISOString(),
  trace: { depth: 1 },
  payload: {
    key_findings: [{ id: 'F-001', summary: `found by ${kind}` }],
    confidence: { overall: 0.7 },
  },
})

const MIXED = `workflow: { id: parcels, name: Sort the parcels, status: ACTIVE }
pipelines:
  ps:
    phases:
      - id: 1
        status: PENDING
        agents: [{ id: ps-researcher-001, role: researcher, status: PENDING, description: Find., session_context: { output: out/found.json } }]
      - id: 2
        status: PENDING
        agents: [{ id: ps-analyst-002, role: reviewer, status: PENDING, description: Weigh., session_context: { input: out/found.json, output: out/weighed.json } }]
      - id: 3
        status: PENDING
        agents: [{ id: ps-critic-003, role: librarian, status: PENDING, description: Judge., session_context: { input: out/weighed.json, output: out/judged.json } }]
      - id: 4
        status: PENDING
        agents: [{ id: ps-reporter-004, status: PENDING, description: Tell., session_context: { input: out/judged.json, output: out/retold.json } }]
`

test('a model, an agent elsewhere, a person and a program work on one pipeline', async () => {
  const faulty = { ...contextOf('ps-researcher'), trace: { depth: 2 } }
  const model = await openModelServer(
    { text: JSON.stringify(faulty) },
    { text: JSON.stringify(contextOf('ps-researcher')), usage: [100, 20] },
  )
  const agent = await openA2aServer({ does: { says: [{ data: contextOf('ps-analyst') }] } })
  closing.push(model.close, agent.close)
  const config = readFileSync(join(one.root, 'waybill.yaml'), 'utf8')
  closing.push(() => writeFileSync(join(one.root, 'waybill.yaml'), config))
  const program = /\{ runner: command[^}]*\}/
  one.write(
    'waybill.yaml',
    config
      .replace(/(domain-02-analysis: )\{[^}]*\}/, '$1{ runner: model }')
      .replace(/(domain-06-technical: )\{[^}]*\}/, `$1{ runner: a2a, url: '${agent.url}' }`)
      .replace('  roles:\n', '  roles:\n    librarian: archetype-product-thinker\n')
      .replace(
        '  runners:\n',
        `  models: { default: { provider: openai-compatible, model: small, url: '${model.url}' } }\n  runners:\n`,
      ),
  )
  expect(config).toMatch(program)
  one.commit()
  one.write('ORCHESTRATION.yaml', MIXED)
  const running = run(one)
  const waits = async () => {
    const { out } = await one.mission('list', '--state', 'running', '--format', 'json')
    const [found] = JSON.parse(out).missions
    if (!found) return undefined
    const { tasks } = await one.peek(found.mission)
    const task = tasks.find(
      ({ state, waitingFor }) => state === 'waiting' && waitingFor === 'person',
    )
    return task && { mission: found.mission, task: task.task }
  }
  let waiting: Awaited<ReturnType<typeof waits>>
  await comesTrue(async () => {
    waiting = await waits()
    return waiting !== undefined
  }, 90_000)
  expect(waiting?.task).toBe('ps/3/ps-critic-003')
  one.write('judged.json', JSON.stringify(contextOf('ps-critic')))
  const { mission = '', task = '' } = waiting ?? {}
  const answered = await one.mission(
    ...['answer', mission, task, '--file', 'judged.json', '--by', 'ada'],
  )
  expect(answered).toMatchObject({ code: 0, err: '' })
  const ended = await running
  expect(ended).toMatchObject({ code: 0, complete: true, status: { tokensUsed: 135 } })
  expect(model.asked).toHaveLength(2)
  expect(model.asked[1]?.text).toContain('depth-at-most-one')
  const schema = JSON.stringify(model.asked[0]?.body.response_format)
  expect(schema).toContain('key_findings')
  expect(schema).not.toContain('worker_result')
  const sent = agent.calls.find(({ method }) => method === 'SendMessage')?.text
  expect(sent).toContain('returns.schema: the session context that the agent writes')
  // What is in the file is what each has answered, and the program has read what the person said.
  const read = (name: string) =>
    JSON.parse(readFileSync(join(one.root, `out/${name}.json`), 'utf8'))
  expect(read('found').payload.key_findings[0].summary).toBe('found by ps-researcher')
  expect(read('weighed').source_agent.id).toBe('ps-analyst')
  expect(read('judged').source_agent.id).toBe('ps-critic')
  expect(read('retold').payload.key_findings[0].summary).toContain('out/judged.json')
  expect(file(one).match(/status: COMPLETE/g)?.length).toBeGreaterThanOrEqual(4)
})
