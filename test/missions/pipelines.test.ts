import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { STAYS } from '../../src/operations/mission/working.ts'
import pipelineRun from '../../src/operations/pipeline-run.ts'
import { PIPELINE } from '../pipeline-agents.ts'
import { PipelineRuns } from '../pipeline-runs.ts'
import { comesTrue } from '../processes.ts'
import { SOUND } from '../test-folder.ts'

const runs = new PipelineRuns(process.env)
const { file, read, ran, put, start, pipeline, run } = runs
/** The document as plain data. */
const parse = (words: string) => load(words) as { pipelines: unknown }

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
    workflow: { status: 'COMPLETE' },
    barriers: { 'hand-over': { status: 'COMPLETE' } },
    metrics: { phases_complete: 3, agents_executed: 4, agents_percent: 100, barriers_complete: 1 },
  })
  expect(read()).toContain('# the plan')
  const judged = JSON.parse(readFileSync(join(runs.root, `${runs.place}/out/judged.json`), 'utf8'))
  expect(judged.payload.key_findings[0].summary).toContain(`${runs.place}/out/weighed.json`)
  const again = await run()
  expect(again).toMatchObject({ code: 0, complete: true, mission: null })
  expect(ran()).toHaveLength(4)
})

test('groups of the queue start after what they depend on, and the agents of one in turn where it says so', async () => {
  put(`${PIPELINE}execution_queue:
  groups:
    - { id: 1, execution_mode: SEQUENTIAL, agents: [ps-analyst-002, ps-researcher-001] }
    - { id: 2, depends_on: [group-1, ps.phase.2], agents: [nse-risk-001] }
`)
  expect((await pipeline('run')).code).toBe(0)
  expect(ran()).toEqual(['ps-analyst-002', 'ps-researcher-001', 'ps-critic-003', 'nse-risk-001'])
})

test('what waits for a group of the queue stays when the group has failed, a barrier too', async () => {
  put(`${PIPELINE.replace('FIRST', 'ALWAYS BAD').replace('after_phases: [ps-phase-1]', 'after_phases: [group-1]')}execution_queue:
  groups: [{ id: 1, agents: [ps-analyst-002, ps-researcher-001] }]
`)
  expect(await run()).toMatchObject({ code: 1, complete: false })
  expect(statuses()).toMatchObject({
    'ps-researcher-001': 'FAILED',
    'ps-analyst-002': 'COMPLETE',
    'nse-risk-001': 'PENDING',
  })
  expect(parse(read())).toMatchObject({ barriers: { 'hand-over': { status: 'PENDING' } } })
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
  runs.repository.write(file(), read().replace('ALWAYS BAD', 'SOUND'))
  runs.repository.write('ran.txt', '')
  const second = await run()
  expect(second).toMatchObject({ code: 0, complete: true, continued: false })
  expect(second.mission).not.toBe(first.mission)
  expect(ran()).toEqual(['ps-critic-003'])
})

test.each([
  ['writes nothing', 'LAZY', 'pipeline/outputs-exist'],
  ['is nested too deep', 'DEEP', 'session-context/depth-at-most-one'],
  ['is nested deeper than the file allows', 'SHALLOW', 'pipeline/nested'],
  ['is nested deeper than the file allowed before it changed that', 'RAISES', 'pipeline/nested'],
  ['answers for another one', 'FOREIGN', 'pipeline/foreign-context'],
])('an agent that %s is not complete', async (_, word, code) => {
  const limit = word === 'SHALLOW' || word === 'RAISES' ? 0 : 1
  const limited = `{ id: parcels, constraints: { max_agent_nesting: ${limit} }`
  put(PIPELINE.replace('FIRST', word).replace('{ id: parcels', limited))
  const ended = await run()
  expect(ended).toMatchObject({ code: 1, complete: false })
  expect(statuses()['ps-researcher-001']).toBe('FAILED')
  // Another agent, as deep as 1; it may begin before the file is changed, or behind that.
  const expected = word === 'RAISES' ? /FAILED|COMPLETE/ : limit === 0 ? /FAILED/ : /COMPLETE/
  expect(statuses()['ps-analyst-002']).toMatch(expected)
  const [task] = ended.status.tasks
  expect(task.reason.diagnostics.map((one: { code: string }) => one.code)).toContain(code)
})

test('an agent cannot run a pipeline, begin a mission, decide for people, nor set its own status', async () => {
  put(PIPELINE.replace('FIRST', 'NESTED'))
  expect(await run()).toMatchObject({ code: 0 })
  const said = readFileSync(join(runs.root, 'nested.txt'), 'utf8')
  for (const verb of ['pipeline run', 'mission submit', 'mission cancel', 'lock', 'lock reconcile'])
    expect(said).toContain(`ps/1/ps-researcher-001 cannot run waybill ${verb}\n`)
  expect(said).toContain("ps/1/ps-researcher-001 cannot set the status of 'ps/1/ps-researcher-001'")
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
  runs.repository.write(
    file(),
    read().replace(/(ps-researcher-001, status: )COMPLETE/, '$1IN_PROGRESS'),
  )
  runs.repository.write('go', '')
  const again = await run()
  expect(again).toMatchObject({ code: 0, complete: true, continued: true })
  expect(new Set(Object.values(statuses()))).toEqual(new Set(['COMPLETE']))
  expect(ran().filter(id => id === 'ps-researcher-001')).toHaveLength(1)
  expect(ran().filter(id => id === 'ps-critic-003')).toHaveLength(2)
})

test('a file that was broken while its agents worked is called that, and not one that lacks them', async () => {
  put(PIPELINE.replace('FIRST', 'WAIT').replace('ANSWERS', 'ANSWERS WAIT'))
  const child = start('run', '--format', 'json')
  const [out, ended] = [text(child.stdout), once(child, 'exit')]
  await comesTrue(() => ran().length === 2, 60_000)
  runs.repository.write(file(), `${read()}more: [\n`)
  runs.repository.write('go', '')
  await ended
  const { tasks } = JSON.parse(await out).status
  const { reason } = tasks.find(({ state }: { state: string }) => state === 'failed')
  expect(reason.code).toBe('pipeline/gone')
  expect(reason.message).toMatch(/ORCHESTRATION\.yaml has an error in line [0-9]+: /)
})

test('a file that is gone and torn for a moment ends neither the run nor who begins', async () => {
  put(PIPELINE.replace('FIRST', 'WAIT'))
  const child = start('run', '--format', 'json')
  const [out, err, ended] = [text(child.stdout), text(child.stderr), once(child, 'exit')]
  await comesTrue(() => statuses()['ps-analyst-002'] === 'COMPLETE' && ran().length === 2, 60_000)
  const whole = read()
  rmSync(join(runs.root, file()))
  runs.repository.write('go', '')
  // The run has looked for it in this time, and who is done has been judged.
  await pause(1500)
  runs.repository.write(file(), whole.slice(0, whole.length / 2))
  await pause(500)
  runs.repository.write(file(), whole)
  await ended
  expect({ code: child.exitCode, err: await err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(await out)).toMatchObject({ complete: true, status: { state: 'finished' } })
})

test('no agent begins in a file that has got an error since, elsewhere too', async () => {
  put(PIPELINE.replace('FIRST', 'WAIT'))
  const child = start('run', '--format', 'json')
  const [out, ended] = [text(child.stdout), once(child, 'exit')]
  await comesTrue(() => statuses()['ps-analyst-002'] === 'COMPLETE' && ran().length === 2, 60_000)
  runs.repository.write(file(), read().replace('agents_percent: ', 'agents_percent: -'))
  runs.repository.write('go', '')
  await ended
  const { tasks } = JSON.parse(await out).status
  const reasons = tasks.flatMap(({ reason }: { reason: unknown }) => reason ?? [])
  expect(reasons).toMatchObject([
    { code: 'pipeline/sound-document', message: expect.stringContaining('has an error in line') },
    { code: 'pipeline/sound-document' },
  ])
  expect(ran()).toHaveLength(2)
})

test('on a terminal the time that an agent works is counted while it does', async () => {
  put(PIPELINE.replace('FIRST', 'WAIT'))
  const terminal = runs.onTerminal('run')
  const ended = once(terminal, 'exit')
  let output = ''
  terminal.stdout.on('data', chunk => {
    output += chunk
  })
  const spans = () =>
    new Set(output.match(/(?<=researcher-001 +running .*domain-05-product, )[0-9]+(?=\.[0-9] s)/g))
  expect(await comesTrue(() => spans().size > 3, 60_000)).toBe(true)
  runs.repository.write('go', '')
  await ended
})

test('what a person sets meanwhile stays, and is reported', async () => {
  put(PIPELINE.replace('FIRST', 'WAIT').replace('out/judged.json', 'out/mine.json'))
  const child = start('run', '--format', 'json')
  const out = text(child.stdout)
  const ended = once(child, 'exit')
  await comesTrue(() => ran().length === 2, 60_000)
  await comesTrue(() => statuses()['ps-analyst-002'] === 'COMPLETE', 60_000)
  runs.repository.write(
    file(),
    `${read().replace(/(nse-risk-001, status: )PENDING/, '$1BLOCKED, blocked_by: "a person"')}# mine\n`,
  )
  runs.repository.write('go', '')
  await ended
  const last = JSON.parse(await out)
  expect(last.complete).toBe(false)
  expect(read()).toContain('# mine')
  expect(statuses()).toMatchObject({ 'nse-risk-001': 'BLOCKED', 'ps-critic-003': 'COMPLETE' })
  const risk = last.status.tasks.find(({ task }: { task: string }) => task.endsWith('risk-001'))
  expect(risk).toMatchObject({ state: 'failed', reason: { code: 'pipeline/ready' } })
})

test('an agent that a person sets to COMPLETE while it works does not keep its phase open', async () => {
  put(PIPELINE.replace('FIRST', 'WAIT'))
  const running = run()
  await comesTrue(() => statuses()['ps-analyst-002'] === 'COMPLETE' && ran().length === 2, 60_000)
  runs.repository.write(
    file(),
    read().replace(/(ps-researcher-001, status: )IN_PROGRESS/, '$1COMPLETE'),
  )
  runs.repository.write('go', '')
  expect(await running).toMatchObject({ code: 0, complete: true })
})

test('a phase whose agents are all COMPLETE is passed in the first run too, and reported where it is held', async () => {
  const done = PIPELINE.replace('status: PENDING # not yet', 'status: STATED').replaceAll(
    /(ps-[a-z]+-00[12], status: )PENDING/g,
    '$1COMPLETE',
  )
  put(done.replace('STATED', 'BLOCKED'))
  const held = await run()
  expect(held).toMatchObject({ code: 1, complete: false })
  expect(held.left).toContainEqual(expect.objectContaining({ kind: 'phase', address: 'ps/1' }))
  put(done.replace('STATED', 'IN_PROGRESS'))
  runs.repository.write(`${runs.place}/out/weighed.md`, 'weighed')
  for (const name of ['found', 'weighed'])
    runs.repository.write(`${runs.place}/out/${name}.json`, SOUND)
  expect(await run()).toMatchObject({ code: 0, complete: true })
  expect(ran().sort()).toEqual(['nse-risk-001', 'ps-critic-003'])
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
  expect(existsSync(join(runs.root, `${runs.place}/out`))).toBe(false)
})

test('a run whose result is wanted as JSON tells how far it came when Ctrl-C ends it, and that it stays', async () => {
  put(PIPELINE.replace('Find. FIRST', 'Find. WAIT'))
  const child = start('run', '--format', 'json')
  const [out, err, ended] = [text(child.stdout), text(child.stderr), once(child, 'exit')]
  expect(await comesTrue(() => ran().includes('ps-researcher-001'), 60_000)).toBe(true)
  child.kill('SIGINT')
  await ended
  expect({ code: child.exitCode, err: await err }).toEqual({ code: 130, err: `${STAYS}\n` })
  expect(JSON.parse(await out)).toMatchObject({ complete: false, status: { state: 'running' } })
})

test('a run that is interrupted before its mission has begun reports how the file is', async () => {
  put(PIPELINE)
  const app = { ...runs.repository.missionApp(), signal: AbortSignal.abort() }
  const left = await pipelineRun.run({ file: join(runs.root, file()) }, app)
  expect(left).toMatchObject({ accepted: true, complete: false, mission: null, status: null })
  expect(ran()).toEqual([])
})
