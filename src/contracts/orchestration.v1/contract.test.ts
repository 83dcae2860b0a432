import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../../test/cpu-time.ts'
import { as, checkDocument, recognise } from '../../contract/index.ts'
import { readDocuments } from '../../document/index.ts'
import { contracts, findContract, loadContract } from '../index.ts'
import { graphOf } from './graph.ts'
import { unmetInputs } from './inputs.ts'
import { cyclesIn } from './order.ts'
import { rules } from './rules.ts'

const pipelines = { ps: { phases: [] } }

test.each([
  ['ORCHESTRATION.yaml', { barriers: 1 }],
  ['work/ORCHESTRATION_EN005.yml', { phases: {} }],
  ['state.yaml', { pipelines }],
  ['state.json', { pipelines: { ps: { name: 'first' }, nse: { phases: [] } } }],
])('%s is picked up while walking a directory', (name, value) => {
  expect(recognise(value, name, contracts, 'walk')?.contract.id).toBe('orchestration.v1')
})

test.each([
  ['ORCHESTRATION.yaml', {}],
  ['ORCHESTRATION.md', { barriers: 1 }],
  ['my-ORCHESTRATION.yaml', { barriers: 1 }],
  ['orchestration.yaml', { barriers: 1 }],
  ['ci.yml', { pipelines: ['build'] }],
  ['ci.yml', { pipelines: { default: ['build'] } }],
])('%s with other content is passed over', (name, value) => {
  expect(recognise(value, name, contracts, 'walk')).toBeUndefined()
})

test('barriers are accepted as a list and by their ids, and both are checked', async () => {
  const contract = findContract('orchestration')
  const { validate } = await loadContract(contract ?? expect.fail('not in the catalogue'))
  const withBarriers = (barriers: unknown) => validate({ pipelines, barriers })
  expect(withBarriers([{ id: 'one', status: 'PENDING' }])).toBe(true)
  expect(withBarriers({ one: { status: 'PENDING' } })).toBe(true)
  expect(withBarriers([{ id: 'one', status: 'PASSED' }])).toBe(false)
  expect(withBarriers({ one: { status: 'PASSED' } })).toBe(false)
  expect(withBarriers('one')).toBe(false)
})

test('a faulty status hides no wrong figure, and makes none wrong', async () => {
  const phase = (status: string) => ({ id: status, status, agents: [{ id: `a-${status}` }] })
  const value = {
    pipelines: { ps: { phases: [phase('COMPLETE'), phase('DONE')] } },
    metrics: { phases_complete: 2, phases_total: 7, agents_total: -1 },
  }
  const contract = findContract('orchestration') ?? expect.fail('not in the catalogue')
  const [document] = (await readDocuments(JSON.stringify(value), 'json')).documents
  if (!document) throw new Error('no document')
  const loaded = await loadContract(contract)
  const facts = { files: { value: { kindOf: () => 'missing' } } }
  const { diagnostics } = checkDocument(document, as(contract, value), loaded, { now: 0, facts })
  expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
    ['schema/enum', '/pipelines/ps/phases/1/status'],
    ['orchestration/figures-agree', '/metrics/phases_total'],
    ['schema/minimum', '/metrics/agents_total'],
  ])
})

test('barriers without an id have none that another could have', () => {
  const value = { pipelines, barriers: [{}, { id: 'undefined' }, {}] }
  expect([...rules['unique-ids'].check(value)]).toEqual([])
})

test.each([
  ['depends_on of the phase', { depends_on: 'a.phase.1' }, {}],
  ['depends_on of the agent', {}, { depends_on: ['a.phase.1'] }],
  ['blocked_by', { blocked_by: 'gate' }, {}],
])('%s puts an agent of another pipeline before', (_, phase, agent) => {
  const reader = { id: 'reader', session_context: { input: 'x.json' }, ...agent }
  const value = {
    pipelines: {
      a: {
        phases: [{ id: 1, agents: [{ id: 'writer', session_context: { output: './x.json' } }] }],
      },
      b: { phases: [{ id: 1, agents: [reader], ...phase }] },
    },
    barriers: { gate: { depends_on: ['a.phase.1'] } },
  }
  expect(unmetInputs(value)).toEqual([])
  const apart = {
    ...value,
    pipelines: {
      ...value.pipelines,
      b: { phases: [{ id: 1, agents: [{ ...reader, depends_on: [] }] }] },
    },
  }
  expect(unmetInputs(apart)).toMatchObject([{ input: 'x.json', producer: 'writer' }])
})

test('a barrier puts the phases it waits for before the phases it holds back, and hands over its artifacts', () => {
  const agents = (input?: string, output?: string) => [
    {
      id: `${input}-${output}`,
      session_context: { ...(input ? { input } : {}), ...(output ? { output } : {}) },
    },
  ]
  const value = {
    pipelines: {
      a: {
        short_alias: 'x',
        phases: [
          { id: 1, agents: agents(undefined, 'a.json') },
          { id: 2, agents: agents('b.json') },
        ],
      },
      b: {
        phases: [
          { id: 1, agents: agents('handed.md', 'b.json') },
          { id: 2, agents: agents('handed.md') },
        ],
      },
    },
    barriers: [
      { after_phases: ['x-phase-1', 'b-phase-1'], artifacts: { a_to_b: { path: 'handed.md' } } },
    ],
  }
  expect(unmetInputs(value).map(({ path, producer }) => [path[1], path[3], producer])).toEqual([
    ['b', 0, 'barrier 1'],
  ])
})

test.each([
  ['an earlier group is earlier', [['writer'], ['reader']], 0],
  ['a later group is not', [['reader'], ['writer']], 1],
  ['the same group is not', [['writer', 'reader']], 1],
  ['an agent in two groups says nothing', [['writer'], ['reader'], ['writer']], 1],
  ['an agent outside the queue says nothing', [['writer']], 1],
])('in the queue, %s', (_, groups, unmet) => {
  const phase = (id: string, session_context: object) => ({
    phases: [{ id: 1, agents: [{ id, session_context }] }],
  })
  const value = {
    pipelines: {
      a: phase('writer', { output: 'x.json' }),
      b: phase('reader', { input: 'x.json' }),
    },
    execution_queue: { groups: groups.map((agents, i) => ({ id: i + 1, agents })) },
  }
  expect(unmetInputs(value)).toHaveLength(unmet)
})

test.each([
  ['an earlier agent of a SEQUENTIAL group is earlier', 'SEQUENTIAL', ['writer', 'reader'], 0],
  ['a later one is not', 'SEQUENTIAL', ['reader', 'writer'], 1],
  ['nor is one of a PARALLEL group', 'PARALLEL', ['writer', 'reader'], 1],
])('%s', (_, execution_mode, agents, unmet) => {
  const phase = (id: string, session_context: object) => ({
    phases: [{ id: 1, agents: [{ id, session_context }] }],
  })
  const value = {
    pipelines: {
      a: phase('writer', { output: 'x.json' }),
      b: phase('reader', { input: 'x.json' }),
    },
    execution_queue: { groups: [{ id: 1, execution_mode, agents }] },
  }
  expect(unmetInputs(value)).toHaveLength(unmet)
})

test('what a group of the queue depends on comes before its agents', () => {
  const phase = (id: string, session_context: object) => ({
    phases: [{ id: 1, agents: [{ id, session_context }] }],
  })
  const value = (group: object) => ({
    pipelines: {
      a: phase('writer', { output: 'x.json' }),
      b: phase('reader', { input: 'x.json' }),
    },
    execution_queue: { groups: [{ id: 1, agents: ['reader'], ...group }] },
  })
  expect(unmetInputs(value({}))).toHaveLength(1)
  expect(unmetInputs(value({ depends_on: 'a.phase.1' }))).toEqual([])
  expect(unmetInputs(value({ blocked_by: 'a.phase.1' }))).toEqual([])
})

test('what depends on a group of the queue comes after its agents', () => {
  const agents = (id: string, session_context: object) => [{ id, session_context }]
  const value = (barrier: object) => ({
    pipelines: {
      a: { phases: [{ id: 1, agents: agents('writer', { output: 'x.json' }) }] },
      b: { phases: [{ id: 1, depends_on: 'gate', agents: agents('reader', { input: 'x.json' }) }] },
    },
    barriers: { gate: barrier },
    execution_queue: { groups: [{ id: 1, agents: ['writer'] }] },
  })
  expect(unmetInputs(value({}))).toHaveLength(1)
  expect(unmetInputs(value({ after_phases: ['group-1'] }))).toEqual([])
})

test('an id that two phases have says nothing in the queue', () => {
  const agents = (session_context: object) => [{ id: 'a', session_context }]
  const value = {
    pipelines: {
      a: { phases: [{ id: 1, agents: agents({ output: 'x.json' }) }] },
      b: { phases: [{ id: 1, agents: [{ id: 'b', session_context: { input: 'x.json' } }] }] },
      c: { phases: [{ id: 1, agents: agents({}) }] },
    },
    execution_queue: {
      groups: [
        { id: 1, agents: ['a'] },
        { id: 2, agents: ['b'] },
      ],
    },
  }
  expect(unmetInputs(value)).toHaveLength(1)
})

test('twenty thousand phases that depend on each other crosswise take no minutes', async () => {
  const SIZE = 10_000
  const phases = (name: string, other: string) =>
    Array.from({ length: SIZE }, (_, i) => ({
      id: i,
      ...(i > 0 ? { depends_on: `${other}.phase.${i - 1}` } : {}),
      agents: [
        {
          id: `${name}${i}`,
          session_context: { input: `${other}${SIZE - i}.json`, output: `${name}${i}.json` },
        },
      ],
    }))
  const value = { pipelines: { a: { phases: phases('a', 'b') }, b: { phases: phases('b', 'a') } } }
  const ms = await cpuTimeOf(() => {
    expect(cyclesIn(graphOf(value).waits)).toEqual([])
    expect(unmetInputs(value).length).toBe(SIZE + 2)
  })
  expect(ms).toBeLessThan(10_000)
})

test.each([
  ['an agent', { a: { phases: [{ id: 1, agents: [{ id: 'x', depends_on: 'y' }] }] } }],
  ['a phase', { a: { phases: [{ id: 1, depends_on: 'b.phase.1' }] } }],
  [
    'an agent of a phase',
    { a: { phases: [{ id: 1, agents: [{ id: 'writer', depends_on: 'b.phase.1' }] }] } },
  ],
])('%s gets no advice to wait for itself, or for the phase that it is in', async (_, pipelines) => {
  const { diagnostics } = await check({ pipelines })
  expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
    [
      'orchestration/known-dependencies',
      "write '<pipeline>.phase.<number>' of a phase in this file",
    ],
  ])
})

async function check(value: object) {
  const { documents } = await readDocuments(JSON.stringify(value), 'json')
  const [document] = documents
  const contract = findContract('orchestration')
  if (!document || !contract) return expect.fail('not read')
  return checkDocument(document, as(contract, document.value), await loadContract(contract), {
    now: Date.UTC(2026, 5),
  })
}

test.each([
  ['at the root', { pipelines, deliverables: [] }, '/deliverables'],
  ['in the workflow', { pipelines, workflow: { feature: 'F-9' } }, '/workflow/feature'],
  [
    'in an agent',
    { pipelines: { ps: { phases: [{ id: 1, agents: [{ id: 'a', enabler: 1 }] }] } } },
    '/pipelines/ps/phases/0/agents/0/enabler',
  ],
])('unknown keys are shown as an info %s', async (_, value, path) => {
  const { accepted, diagnostics } = await check(value)
  expect(accepted).toBe(true)
  expect(diagnostics).toMatchObject([{ severity: 'info', path }])
})

test('an input on disk cannot be checked without files, one that an agent writes can', async () => {
  const agents = [
    { id: 'one', session_context: { output: 'a.json' } },
    { id: 'two', session_context: { input: 'a.json' } },
  ]
  const value = (first: object[]) => ({ pipelines: { ps: { phases: [{ id: 1, agents: first }] } } })
  expect(await check(value(agents))).toMatchObject({ accepted: true, diagnostics: [] })
  const { accepted, diagnostics } = await check(value(agents.slice(1)))
  expect(accepted).toBe(false)
  expect(diagnostics).toMatchObject([{ code: 'orchestration/not-checked' }])
})
