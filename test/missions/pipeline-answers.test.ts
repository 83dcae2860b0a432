import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { PipelineRuns } from '../pipeline-runs.ts'
import { comesTrue } from '../processes.ts'

const runs = new PipelineRuns(process.env)
const { put, ran, run, start } = runs
beforeAll(() => {
  const config = readFileSync(join(runs.root, 'waybill.yaml'), 'utf8')
  const roles = '  roles:\n    librarian: archetype-product-thinker\n'
  runs.repository.write('waybill.yaml', config.replace('  roles:\n', roles))
  runs.repository.commit()
})

/** Two agents, of which the second reads what the first has written. */
const TWO = `workflow: { id: parcels, status: ACTIVE }
pipelines:
  ps:
    phases:
      - id: 1
        status: PENDING
        agents: [{ id: ps-researcher, status: PENDING, description: FIRST, session_context: { output: out/found.json } }]
      - id: 2
        status: PENDING
        agents: [{ id: ps-critic, status: PENDING, session_context: { input: out/found.json, output: out/judged.json } }]
`

test.each([
  ['answers with', 'ANSWERS LEAKS'],
  ['writes', 'LEAKS'],
])(
  'a credential in a session context that an agent %s is refused, named by its place, and not passed on',
  async (_, words) => {
    put(TWO.replace('FIRST', words))
    const ended = await run()
    expect(ended).toMatchObject({ code: 1, complete: false })
    const place = { code: 'mission/secret', path: '/payload/key_findings/0/detail' }
    expect(ended.status.tasks[0].reason.diagnostics).toMatchObject([place])
    expect(JSON.stringify(ended)).not.toContain('ghp_a1B2')
    expect(ran()).toEqual(['ps-researcher', 'ps-researcher repair'])
    const isWritten = existsSync(join(runs.root, runs.place, 'out/found.json'))
    expect(isWritten).toBe(!words.includes('ANSWERS'))
  },
)

test('an agent is asked once more where its session context held a credential', async () => {
  put(TWO.replace('FIRST', 'ANSWERS LEAKS ONCE'))
  expect(await run()).toMatchObject({ code: 0, complete: true })
  expect(ran()).toEqual(['ps-researcher', 'ps-researcher repair', 'ps-critic'])
  for (const name of readdirSync(join(runs.root, runs.place, 'out')))
    expect(readFileSync(join(runs.root, runs.place, 'out', name), 'utf8')).not.toContain('ghp_')
})

/** A session context as the first of them writes it. */
const contextBy = (finder: string) =>
  JSON.stringify({
    schema_version: '1.0.0',
    session_id: 's-1',
    source_agent: { id: 'ps-researcher', family: 'ps' },
    target_agent: { id: 'ps-critic', family: 'ps' },
    timestamp: '2026-02-10T09:00:00Z',
    trace: { depth: 1 },
    payload: {
      key_findings: [{ id: 'F-001', summary: `found by ${finder}` }],
      confidence: { overall: 0.7 },
    },
  })

test('a file that stood there before a person was given the task is not what the person has written, in another process neither', async () => {
  const output = `${runs.place}/out/found.json`
  runs.repository.write(output, contextBy('another author'))
  runs.repository.commit()
  put(TWO.replace('FIRST', 'Find., role: librarian'))
  const { repository } = runs
  const waits = async () => {
    const { out } = await repository.mission('list', '--limit', '1', '--format', 'json')
    const [found] = JSON.parse(out).missions
    const tasks = found ? (await repository.peek(found.mission)).tasks : []
    const task = tasks.find(({ state }) => state === 'waiting')
    return task && { ...task, mission: found.mission as string }
  }
  const first = start('run', '--format', 'json')
  const isLeft = once(first, 'exit')
  expect(await comesTrue(async () => (await waits()) !== undefined, 60_000)).toBe(true)
  first.kill('SIGINT')
  await isLeft
  const fields = { output_text: 'done', structured_output: {}, confidence: 1, tool_trace_refs: [] }
  const citations = [{ kind: 'file', ref: output }]
  repository.write('answered.json', JSON.stringify({ ...fields, citations }))
  const { mission = '', task = '' } = (await waits()) ?? {}
  const answer = () =>
    repository.mission('answer', mission, task, '--file', 'answered.json', '--by', 'ada')
  expect(await answer()).toMatchObject({ code: 0, err: '' })
  const second = run()
  const isRefused = async () => (await waits())?.reason?.code === 'mission/answer-refused'
  expect(await comesTrue(isRefused, 60_000)).toBe(true)
  expect((await waits())?.reason?.message).toContain('has not changed since the agent started')
  repository.write(output, contextBy('ada'))
  expect(await answer()).toMatchObject({ code: 0, err: '' })
  expect(await second).toMatchObject({ code: 0, complete: true, mission, continued: true })
  expect(ran()).toEqual(['ps-critic'])
})

test('an agent that has written something else than a session context is asked once more', async () => {
  put(TWO.replace('FIRST', 'JUNK ONCE'))
  expect(await run()).toMatchObject({ code: 0, complete: true })
  expect(ran()).toEqual(['ps-researcher', 'ps-researcher repair', 'ps-critic'])
})

test.each([
  ['whose input is gone', 'LOSES', 2, 'pipeline/outputs-exist', 'its input '],
  [
    'that is to repair its answer, and whose input is gone',
    'LOSES, BAD ONCE',
    1,
    'pipeline/outputs-exist',
    'its input ',
  ],
  ['in a workflow that was paused', 'PAUSES', 2, 'pipeline/ready', 'the workflow is PAUSED'],
])('an agent %s does not begin again', async (_, word, attempt, code, message) => {
  put(TWO.replace('id: ps-critic', `id: ps-critic, description: "${word}"`))
  const ended = await run()
  expect(ended).toMatchObject({ code: 1, complete: false })
  expect(ended.status.tasks[1]).toMatchObject({
    attempt,
    reason: { code, message: expect.stringContaining(message) },
  })
  expect(ran()).toEqual(['ps-researcher', 'ps-critic'])
})

test('what an agent has written before it failed is written over by the next run', async () => {
  put(TWO.replace('FIRST', 'CRASHES'))
  expect(await run()).toMatchObject({ code: 1, complete: false })
  expect(existsSync(join(runs.root, runs.place, 'out/found.json'))).toBe(true)
  runs.repository.write('mended', '')
  expect(await run()).toMatchObject({ code: 0, complete: true })
})
