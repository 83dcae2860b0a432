import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { load } from 'js-yaml'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import { PIPELINE, PIPELINE_AGENT } from '../pipeline-agents.ts'
import { comesTrue } from '../processes.ts'

const PROGRAM = join(import.meta.dirname, '../../src/cli/waybill.ts')

let repository: MissionRepository
beforeAll(async () => {
  // What a check refuses is refused at the last moment too.
  repository = await openMissionRepository(
    'rules: { orchestration/no-reserved-paths: { severity: warning, reason: to see what a run does } }\n',
  )
  repository.write('agents/agent.mjs', PIPELINE_AGENT)
})
afterAll(() => repository?.remove())

let place = ''
let count = 0
beforeEach(() => {
  place = `work-${++count}`
  repository.write('ran.txt', '')
  rmSync(join(repository.root, 'go'), { force: true })
})

const file = () => `${place}/ORCHESTRATION.yaml`
/** The document as plain data. */
const parse = (words: string) => load(words) as { pipelines: unknown }
const read = () => readFileSync(join(repository.root, file()), 'utf8')
const ran = () => readFileSync(join(repository.root, 'ran.txt'), 'utf8').split('\n').filter(Boolean)
const put = (words: string) => repository.write(file(), words.replaceAll('out/', `${place}/out/`))

function start(...args: readonly string[]) {
  const env = {
    ...process.env,
    DATABASE_URL: repository.database.url,
    XDG_STATE_HOME: repository.root,
  }
  return spawn(process.execPath, [PROGRAM, 'pipeline', ...args, '--file', file()], {
    cwd: repository.root,
    env,
    detached: true,
  })
}

async function pipeline(...args: readonly string[]) {
  const child = start(...args)
  const ended = once(child, 'exit')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code: child.exitCode, out, err }
}

async function run() {
  const { code, out, err } = await pipeline('run', '--format', 'json')
  if (out === '') throw new Error(err)
  return { code, err, ...JSON.parse(out) }
}

const statuses = () =>
  Object.fromEntries(
    Object.values(
      parse(read()).pipelines as Record<
        string,
        { phases: { agents: { id: string; status: string }[] }[] }
      >,
    )
      .flatMap(({ phases }) => phases.flatMap(({ agents }) => agents))
      .map(({ id, status }) => [id, status]),
  )

test('every agent runs in its turn, and the file is kept true', async () => {
  put(PIPELINE)
  const { code, out, err } = await pipeline('run')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(`✓ ${file()} is complete`)
  expect(new Set(ran().slice(0, 2))).toEqual(new Set(['ps-researcher-001', 'ps-analyst-002']))
  expect(new Set(ran().slice(2))).toEqual(new Set(['ps-critic-003', 'nse-risk-001']))
  expect(new Set(Object.values(statuses()))).toEqual(new Set(['COMPLETE']))
  expect(parse(read())).toMatchObject({
    barriers: { 'hand-over': { status: 'COMPLETE' } },
    metrics: { phases_complete: 3, agents_executed: 4, agents_percent: 100, barriers_complete: 1 },
  })
  expect(read()).toContain('# the plan')
  const judged = JSON.parse(readFileSync(join(repository.root, `${place}/out/judged.json`), 'utf8'))
  expect(judged.payload.key_findings[0].summary).toContain(`${place}/out/weighed.json`)
  const again = await run()
  expect(again).toMatchObject({ code: 0, complete: true, mission: null })
  expect(ran()).toHaveLength(4)
})

test('a context with a fault is repaired once; with one again the agent has failed, and a new run goes on there', async () => {
  put(PIPELINE.replace('FIRST', 'BAD ONCE').replace('SECOND', 'ALWAYS BAD'))
  const first = await run()
  expect(first).toMatchObject({ code: 1, complete: false, status: { state: 'failed' } })
  expect(statuses()).toEqual({
    'ps-researcher-001': 'COMPLETE',
    'ps-analyst-002': 'COMPLETE',
    'ps-critic-003': 'FAILED',
    'nse-risk-001': 'COMPLETE',
  })
  expect(ran()).toContain('ps-researcher-001 repair')
  const critic = first.status.tasks.find(({ task }: { task: string }) =>
    task.endsWith('critic-003'),
  )
  expect(critic.reason.code).toBe('mission/answer-refused')
  expect(critic.reason.diagnostics[0].path).toBe('/payload/confidence/overall')
  repository.write(file(), read().replace('ALWAYS BAD', 'SOUND'))
  repository.write('ran.txt', '')
  const second = await run()
  expect(second).toMatchObject({ code: 0, complete: true, continued: false })
  expect(second.mission).not.toBe(first.mission)
  expect(ran()).toEqual(['ps-critic-003'])
})

test.each([
  ['writes nothing', 'LAZY', 'pipeline/outputs-exist'],
  ['is nested too deep', 'DEEP', 'session-context/depth-at-most-one'],
])('an agent that %s is not complete', async (_, word, code) => {
  put(PIPELINE.replace('FIRST', word))
  const ended = await run()
  expect(ended).toMatchObject({ code: 1, complete: false })
  expect(statuses()['ps-researcher-001']).toBe('FAILED')
  const [task] = ended.status.tasks
  expect(task.reason.diagnostics.map((one: { code: string }) => one.code)).toContain(code)
})

test('an agent cannot run a pipeline, nor begin a mission', async () => {
  put(PIPELINE.replace('FIRST', 'NESTED'))
  expect(await run()).toMatchObject({ code: 0 })
  const said = readFileSync(join(repository.root, 'nested.txt'), 'utf8')
  expect(said).toContain('ps/1/ps-researcher-001 cannot run a pipeline')
  expect(said).toContain('ps/1/ps-researcher-001 cannot begin a mission')
})

test('killed in between, the file catches up with the database, and nothing that is done is done again', async () => {
  put(PIPELINE.replace('SECOND', 'WAIT'))
  const child = start('run')
  const ended = once(child, 'exit')
  await comesTrue(() => ran().includes('ps-critic-003'), 60_000)
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await ended
  expect(statuses()['ps-critic-003']).toBe('IN_PROGRESS')
  // As if it had died before it could say that the first is done.
  repository.write(file(), read().replace(/(ps-researcher-001, status: )COMPLETE/, '$1IN_PROGRESS'))
  repository.write('go', '')
  const again = await run()
  expect(again).toMatchObject({ code: 0, complete: true, continued: true })
  expect(new Set(Object.values(statuses()))).toEqual(new Set(['COMPLETE']))
  expect(ran().filter(id => id === 'ps-researcher-001')).toHaveLength(1)
  expect(ran().filter(id => id === 'ps-critic-003')).toHaveLength(2)
})

test('what a person sets meanwhile stays, and is told', async () => {
  put(PIPELINE.replace('FIRST', 'WAIT').replace('out/judged.json', 'out/mine.json'))
  const child = start('run', '--format', 'json')
  const out = text(child.stdout)
  const ended = once(child, 'exit')
  await comesTrue(() => ran().length === 2, 60_000)
  await comesTrue(() => statuses()['ps-analyst-002'] === 'COMPLETE', 60_000)
  repository.write(
    file(),
    `${read().replace(/(nse-risk-001, status: )PENDING/, '$1BLOCKED, blocked_by: "a person"')}# mine\n`,
  )
  repository.write('go', '')
  await ended
  const last = JSON.parse(await out)
  expect(last.complete).toBe(false)
  expect(read()).toContain('# mine')
  expect(statuses()).toMatchObject({ 'nse-risk-001': 'BLOCKED', 'ps-critic-003': 'COMPLETE' })
  const risk = last.status.tasks.find(({ task }: { task: string }) => task.endsWith('risk-001'))
  expect(risk).toMatchObject({ state: 'failed', reason: { code: 'pipeline/ready' } })
})

/** One agent that answers with its context. */
const ANSWERING = `workflow: { id: parcels, status: ACTIVE }
pipelines:
  ps:
    phases:
      - id: 1
        status: PENDING
        agents: [{ id: ps-researcher, status: PENDING, description: ANSWERS, session_context: { output: OUTPUT } }]
`

const RESERVED = 'orchestration/no-reserved-paths'
const TAKEN = 'mission/answer-refused'

test.each([
  ['.git/config', RESERVED, 'folder of Git'],
  ['.GIT/x', RESERVED, 'folder of Git'],
  ['.waybill/keys/origin', RESERVED, 'folder of Waybill'],
  ['waybill.yaml', RESERVED, 'is the configuration'],
  ['.waybill-baseline.json', RESERVED, 'is the baseline'],
  ['missions/templates/new.yaml', RESERVED, 'templates of missions'],
  ['ORCHESTRATION.yaml', RESERVED, 'the orchestration file itself'],
  ['prompt-lock.json', TAKEN, 'something else than a session context'],
  ['prompt.md', TAKEN, 'something else than a session context'],
])('an answer is not written over %s, nor into such a place', async (path, code, message) => {
  const isPlaced = !/^(?:\.git|\.waybill|waybill|missions)/i.test(path)
  const output = isPlaced ? `${place}/${path}` : path
  const target = join(repository.root, output)
  if (isPlaced) {
    mkdirSync(dirname(target), { recursive: true })
    // An example in a prompt does not make it a context.
    writeFileSync(
      target,
      '# A prompt\n\n```json\n{"source_agent": {}, "payload": {}, "session_id": ""}\n```\n',
    )
  }
  put(ANSWERING.replace('OUTPUT', output))
  const now = () => (existsSync(target) ? readFileSync(target, 'utf8') : 'nothing')
  const before = now()
  const ended = await run()
  expect(ended).toMatchObject({ code: 1, complete: false })
  expect(ended.status.tasks[0].reason).toMatchObject({
    code,
    message: expect.stringContaining(message),
  })
  // Statuses in the orchestration file are set.
  if (path === 'ORCHESTRATION.yaml') expect(now()).toContain('pipelines:')
  else expect(now()).toBe(before)
  expect(readdirSync(repository.root)).not.toContain('.GIT')
})

test('an agent is not given what lies among private keys, as its input or its file', async () => {
  const secret = '.waybill/keys/context.json'
  writeFileSync(join(repository.root, secret), '{}')
  for (const key of ['session_context: { input: KEY }', 'artifact: KEY']) {
    put(ANSWERING.replace('session_context: { output: OUTPUT }', key.replace('KEY', secret)))
    const ended = await run()
    expect(ended.status.tasks[0].reason).toMatchObject({ code: RESERVED })
  }
  expect(ran()).toEqual([])
})

test.each([
  ['complete', 'a.json', 0],
  ['not complete', '../.git/config', 1],
])('that a pipeline is %s in the end is told once', async (end, output, code) => {
  put(ANSWERING.replace('OUTPUT', join(place, output)))
  const ran = await pipeline('run')
  expect(ran.code).toBe(code)
  expect(ran.out.split(`ORCHESTRATION.yaml is ${end}\n`)).toHaveLength(2)
  expect(ran.out.match(/^[✓✗] [0-9a-f-]{36} /gm)).toHaveLength(1)
})

test('a context of an earlier run is replaced, in Markdown too', async () => {
  for (const name of ['a.json', 'a.md']) {
    const output = `${place}/${name}`
    put(ANSWERING.replace('OUTPUT', output))
    expect(await run()).toMatchObject({ code: 0 })
    const first = readFileSync(join(repository.root, output), 'utf8')
    put(`# again\n${ANSWERING.replace('OUTPUT', output)}`)
    expect(await run()).toMatchObject({ code: 0 })
    expect(readFileSync(join(repository.root, output), 'utf8')).not.toBe(first)
  }
})

test.each([
  ['an error', 'id: parcels', 'id: 7', { accepted: false, mission: null }],
  [
    'a workflow that rests',
    'status: ACTIVE',
    'status: PAUSED',
    { accepted: true, mission: null, complete: false },
  ],
])('nothing runs in a file with %s', async (_, from, to, part) => {
  put(PIPELINE.replace(from, to))
  expect(await run()).toMatchObject({ code: 1, ...part })
  expect(ran()).toEqual([])
  expect(existsSync(join(repository.root, `${place}/out`))).toBe(false)
})
