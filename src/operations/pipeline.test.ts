import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import graph from './pipeline-graph.ts'
import next from './pipeline-next.ts'
import status from './pipeline-status.ts'

const PIPELINE = `workflow: { id: parcels, status: ACTIVE }
pipelines:
  ps:
    total_phases: 3
    phases:
      - id: 1
        name: Research
        status: COMPLETE
        agents:
          - { id: ps-researcher-001, status: COMPLETE, session_context: { output: a.json } }
      - id: 2
        status: PENDING
        agents:
          - id: ps-analyst-001
            name: Analysis
            status: PENDING
            session_context: { input: a.json, output: b.json }
          - { id: ps-critic-001, status: PENDING, depends_on: ps-analyst-001 }
  nse:
    phases:
      - id: 1
        agents: [{ id: nse-risk-001, session_context: { input: b.json } }]
        depends_on: ps.phase.2
barriers:
  exchange: { status: PENDING, depends_on: [ps.phase.1], artifacts: { ps_to_nse: { path: x.md } } }
metrics: { phases_complete: 2, agents_executed: 1 }
checkpoints: { latest_id: CP-1, entries: [{ id: CP-1 }, { id: CP-2 }] }
`

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

test('the status shows what is done, ready and waiting, with reasons, figures and contradictions', async () => {
  folder.write('ORCHESTRATION.yaml', PIPELINE)
  folder.write('b.json', '{}')
  const output = await status.run({}, folder.app())
  expect(faultsOf('pipeline status', output)).toEqual([])
  expect(status.failed?.(output)).toBe(false)
  expect(output).toMatchObject({
    file: 'ORCHESTRATION.yaml',
    accepted: true,
    workflow: { id: 'parcels', status: 'ACTIVE' },
    counts: {
      phases: { total: 3, done: 1, waiting: 2 },
      agents: { total: 4, done: 1, waiting: 2, blocked: 1 },
      barriers: { total: 1, ready: 1 },
    },
    checkpoint: { stated: 'CP-1', latest: 'CP-2', agrees: false },
    notes: [{ address: 'ps/1/ps-researcher-001' }],
  })
  const states = output.units.map(({ address, state, reasons }) => [
    address,
    state,
    ...reasons.map(({ on }) => on),
  ])
  expect(states).toEqual([
    ['ps/1', 'done'],
    ['ps/1/ps-researcher-001', 'done'],
    ['ps/2', 'waiting', 'exchange'],
    ['ps/2/ps-analyst-001', 'blocked', 'exchange', 'a.json'],
    ['ps/2/ps-critic-001', 'waiting', 'exchange', 'ps/2/ps-analyst-001'],
    ['nse/1', 'waiting', 'ps/2'],
    ['nse/1/nse-risk-001', 'waiting', 'ps/2'],
    ['exchange', 'ready'],
  ])
  expect(output.figures).toEqual([
    { path: '/metrics/phases_complete', stated: 2, least: 1, most: 2, agrees: true },
    { path: '/metrics/agents_executed', stated: 1, least: 1, most: 2, agrees: true },
    { path: '/pipelines/ps/total_phases', stated: 3, least: 2, most: 2, agrees: false },
  ])
})

test('next names agents and barriers with their files', async () => {
  folder.write(
    'ORCHESTRATION.yaml',
    PIPELINE.replace('exchange: { status: PENDING', 'exchange: { status: COMPLETE'),
  )
  folder.write('a.json', '{}')
  folder.write('b.json', '{}')
  const output = await next.run({}, folder.app())
  expect(faultsOf('pipeline next', output)).toEqual([])
  expect(output).toMatchObject({
    accepted: true,
    complete: false,
    agents: [
      {
        address: 'ps/2/ps-analyst-001',
        id: 'ps-analyst-001',
        title: 'Analysis',
        input: 'a.json',
        output: 'b.json',
        artifact: null,
      },
    ],
    barriers: [],
    running: [],
    stuck: [],
  })
})

test('next names barriers that may be passed', async () => {
  folder.write('ORCHESTRATION.yaml', PIPELINE)
  folder.write('b.json', '{}')
  expect(await next.run({}, folder.app())).toMatchObject({
    agents: [],
    barriers: [{ address: 'exchange', artifacts: ['x.md'] }],
    stuck: [{ address: 'ps/2/ps-analyst-001', reasons: [{ on: 'a.json' }] }],
  })
})

test('what waits for a group of the queue is neither ready nor offered before its agents are done', async () => {
  const pipeline = (status: string) => `workflow: { id: parcels, status: ACTIVE }
pipelines:
  a: { phases: [{ id: one, agents: [{ id: first, status: ${status} }] }] }
  b: { phases: [{ id: two, depends_on: [group-1], agents: [{ id: second, status: PENDING }] }] }
barriers: { gate: { status: PENDING, after_phases: [group-1] } }
execution_queue: { groups: [{ id: 1, agents: [first] }] }
`
  const offered = async (words: string) => {
    folder.write('ORCHESTRATION.yaml', words)
    const { accepted, agents, barriers } = await next.run({}, folder.app())
    const { units } = await status.run({}, folder.app())
    return {
      accepted,
      offered: [...agents, ...barriers].map(({ address }) => address),
      ready: units.filter(({ state }) => state === 'ready').map(({ address }) => address),
    }
  }
  const before = { accepted: true, offered: ['a/one/first'], ready: ['a/one', 'a/one/first'] }
  expect(await offered(pipeline('PENDING'))).toEqual(before)
  const after = { offered: ['b/two/second', 'gate'], ready: ['b/two', 'b/two/second', 'gate'] }
  expect(await offered(pipeline('COMPLETE'))).toEqual({ accepted: true, ...after })
  const { edges } = await graph.run({}, folder.app())
  for (const to of ['b/two', 'gate']) expect(edges).toContainEqual({ from: 'a/one/first', to })
})

test('nothing may start on a document with an error', async () => {
  folder.write('ORCHESTRATION.yaml', PIPELINE.replace('name: Analysis', 'depends_on: nobody'))
  folder.write('a.json', '{}')
  const output = await next.run({}, folder.app())
  expect(next.failed?.(output)).toBe(true)
  expect(output).toMatchObject({
    accepted: false,
    agents: [],
    barriers: [],
  })
  expect(output.diagnostics.map(({ code }) => code)).toContain('orchestration/known-dependencies')
})

test.each([
  ['with a broken part', PIPELINE.replace('name: Research', 'name: 7'), 8],
  ['that is torn', `${PIPELINE}\n  "`, 0],
  ['with a key twice', `${PIPELINE}metrics: {}\n`, 0],
  ['that is empty', '', 0],
  ['that is something else', '- 1\n', 0],
  ['with an unfinished merge', `<<<<<<< a\n${PIPELINE}=======\n>>>>>>> b\n`, 0],
])('a document %s is shown as far as it is sound', async (_, text, units) => {
  folder.write('ORCHESTRATION.yaml', text)
  for (const operation of [status, graph, next]) {
    const output = await operation.run({}, folder.app())
    expect(faultsOf(operation.name, output)).toEqual([])
    expect(output.accepted).toBe(false)
    expect(output.diagnostics.some(({ severity }) => severity === 'error')).toBe(true)
    if ('units' in output) expect(output.units).toHaveLength(units)
    if ('agents' in output) expect(output.agents).toEqual([])
  }
})

test('the graph is given as data, as a flowchart and as a picture', async () => {
  folder.write('ORCHESTRATION.yaml', PIPELINE)
  const plain = await graph.run({}, folder.app())
  expect(faultsOf('pipeline graph', plain)).toEqual([])
  expect(plain.drawing).toBeNull()
  expect(plain.edges).toEqual(
    expect.arrayContaining([
      { from: 'ps/1', to: 'ps/1/ps-researcher-001' },
      { from: 'ps/1/ps-researcher-001', to: 'ps/2' },
      { from: 'exchange', to: 'ps/2' },
      { from: 'ps/2/ps-analyst-001', to: 'ps/2/ps-critic-001' },
      { from: 'ps/2/ps-critic-001', to: 'nse/1' },
    ]),
  )
  expect(plain.edges).not.toContainEqual({ from: 'ps/2', to: 'ps/2/ps-critic-001' })
  const { drawing: flowchart } = await graph.run({ as: 'mermaid' }, folder.app())
  expect(flowchart).toContain('n3["ps/2/ps-analyst-001<br/>Analysis<br/>')
  const { drawing: picture } = await graph.run({ as: 'svg' }, folder.app())
  expect(picture).toContain('>ps/2/ps-analyst-001</text>')
})

test('secrets and control characters of a document do not reach the answer', async () => {
  const secret = `ghp_${'abcd1234'.repeat(5)}`
  folder.write(
    'ORCHESTRATION.yaml',
    PIPELINE.replace('name: Analysis', `name: "\\e[31m token=${secret}"`).replace(
      'ps-critic-001',
      '"\\u202eevil"',
    ),
  )
  for (const as of ['text', 'mermaid', 'svg'] as const) {
    const text = JSON.stringify([
      await graph.run({ as }, folder.app()),
      await status.run({}, folder.app()),
      await next.run({}, folder.app()),
    ])
    expect(text).not.toContain(secret)
    expect(text).not.toMatch(/\\u001b|\u202e/)
  }
})

test('the nearest document above is taken, then the one at the root, then the only one', async () => {
  folder.write('deep/er/ORCHESTRATION-b.yml', PIPELINE)
  const from = (...names: string[]) => folder.app({ cwd: join(folder.root, ...names) })
  expect((await status.run({}, folder.app())).file).toBe('deep/er/ORCHESTRATION-b.yml')
  folder.write('ORCHESTRATION.yaml', PIPELINE)
  expect((await status.run({}, from('deep', 'er'))).file).toBe('ORCHESTRATION.yaml')
  folder.write('deep/ORCHESTRATION.yaml', PIPELINE)
  expect((await status.run({}, from('deep', 'er'))).file).toBe('deep/ORCHESTRATION.yaml')
  const named = await status.run({ file: 'er/ORCHESTRATION-b.yml' }, from('deep'))
  expect(named.file).toBe('deep/er/ORCHESTRATION-b.yml')
})

test('an input may be next to the document', async () => {
  folder.write(
    'work/ORCHESTRATION.yaml',
    PIPELINE.replace('exchange: { status: PENDING', 'exchange: { status: COMPLETE'),
  )
  folder.write('work/a.json', '{}')
  folder.write('work/b.json', '{}')
  expect((await next.run({}, folder.app())).agents).toHaveLength(1)
})

test('a file that is missing is named from the root, not by where that is', async () => {
  const call = status.run({ file: join(folder.root, 'x.yaml') }, folder.app())
  await expect(call).rejects.toThrow(/^x\.yaml is not a file$/)
})

test('JSON is read too', async () => {
  folder.write('p.json', '{"pipelines": {"p": {"phases": [{"id": 1, "agents": [{"id": "a"}]}]}}}')
  expect(await next.run({ file: 'p.json' }, folder.app())).toMatchObject({
    agents: [{ address: 'p/1/a' }],
  })
})

test.each([
  ['there is none', () => {}, {}, 'not-found', /there is no ORCHESTRATION.yaml/],
  [
    'there are several',
    () => {
      for (const name of ['a', 'b']) folder.write(`${name}/ORCHESTRATION.yaml`, PIPELINE)
    },
    {},
    'usage',
    /several: a\/ORCHESTRATION.yaml and b\/ORCHESTRATION.yaml/,
  ],
  ['it is missing', () => {}, { file: 'x.yaml' }, 'not-found', /x.yaml is not a file/],
  [
    'it is a folder',
    () => mkdirSync(join(folder.root, 'x.yaml')),
    { file: 'x.yaml' },
    'usage',
    /is a folder/,
  ],
  [
    'it is a pipe',
    () => execFileSync('mkfifo', [join(folder.root, 'x.yaml')]),
    { file: 'x.yaml' },
    'not-found',
    /is not a file/,
  ],
  ['it is outside', () => {}, { file: '../x.yaml' }, 'usage', /not inside the repository/],
  [
    'a link leads outside',
    () => symlinkSync('/etc/hostname', join(folder.root, 'ORCHESTRATION.yaml')),
    {},
    'usage',
    /not inside the repository/,
  ],
  ['it is Markdown', () => folder.write('x.md', '# x\n'), { file: 'x.md' }, 'usage', /is Markdown/],
] as const)('a call fails where %s', async (_, prepare, given, code, message) => {
  prepare()
  const call = status.run(given, folder.app())
  await expect(call).rejects.toThrow(message)
  await expect(call).rejects.toMatchObject({ code })
})
