import fc from 'fast-check'
import { expect, test } from 'vitest'
import { figuresOf, type Orchestration, progressOf, soundPart } from '../contracts/index.ts'
import { type Json, withChange } from '../document/index.ts'
import { findUnits, unitsOf } from './pipeline-address.ts'
import { drawingOf, pipelineGraph } from './pipeline-drawing.ts'
import { changesOf, refusalsOf } from './pipeline-move.ts'

const standing = (value: object) => progressOf(soundPart(value, []), () => true)

const named = {
  pipelines: {
    research: {
      short_alias: 'ps',
      phases: [
        { id: 1, agents: [{ id: 'writer' }, { id: 'critic' }] },
        { id: 2, agents: [{ id: 'writer' }, { id: 'a/b' }] },
      ],
    },
    nse: { id: 'pipeline-nse', phases: [{ id: 1, agents: [{ id: 'reader' }] }] },
  },
  barriers: [{ id: 'barrier-1' }, {}],
}

test.each<[string, string[]]>([
  ['research/1/critic', ['research/1/critic']],
  ['critic', ['research/1/critic']],
  ['1/critic', ['research/1/critic']],
  ['ps/critic', ['research/1/critic']],
  ['ps.phase.1/critic', ['research/1/critic']],
  ['ps/phase.2/writer', ['research/2/writer']],
  ['2/writer', ['research/2/writer']],
  ['writer', ['research/1/writer', 'research/2/writer']],
  ['a/b', ['research/2/a/b']],
  ['nse/1', ['nse/1']],
  ['pipeline-nse/1', ['nse/1']],
  ['research-phase-2', ['research/2']],
  ['2', ['research/2']],
  ['1', ['research/1', 'nse/1']],
  ['barrier-1', ['barrier-1']],
  ['barrier 2', ['barrier 2']],
  ['nse/critic', []],
  ['critic/1', []],
  ['research', []],
  ['', []],
  ['/', []],
])('%j means %j', (target, addresses) => {
  expect(findUnits(unitsOf(standing(named)), target).map(({ address }) => address)).toEqual(
    addresses,
  )
})

test('a graph of many agents that all wait for many agents stays small', () => {
  const agents = (from: number) => Array.from({ length: 2000 }, (_, i) => ({ id: `a${from + i}` }))
  const value = {
    pipelines: {
      p: {
        phases: [
          { id: 1, agents: agents(0) },
          { id: 2, agents: agents(2000) },
        ],
      },
    },
  }
  const graph = pipelineGraph(standing(value))
  expect(graph.edges).toHaveLength(4001)
  expect(drawingOf(graph, value).nodes).toHaveLength(4002)
})

test('an agent is drawn after what its group of the queue depends on, and nothing without a name is', () => {
  const agents = (...ids: string[]) => ids.map(id => ({ id }))
  const { nodes, edges } = pipelineGraph(
    standing({
      pipelines: {
        p: { phases: [{ id: 1, agents: agents('a') }] },
        q: { phases: [{ id: 1, agents: agents('b', 'c') }] },
      },
      execution_queue: {
        groups: [
          { id: 1, agents: ['b'] },
          { id: 2, agents: ['a'], depends_on: ['group-1', 'q.phase.1'] },
        ],
      },
    }),
  )
  expect(nodes.map(({ address }) => address)).toEqual(['p/1', 'p/1/a', 'q/1', 'q/1/b', 'q/1/c'])
  expect(edges.map(({ from, to }) => `${from} ${to}`).sort()).toEqual([
    'p/1 p/1/a',
    'q/1 p/1/a',
    'q/1 q/1/b',
    'q/1 q/1/c',
    'q/1/b p/1/a',
  ])
})

test.each([
  ['side by side', {}, ['a', 'b']],
  ['one after another', { execution_mode: 'SEQUENTIAL' }, ['b']],
])(
  'what waits for a group whose agents work %s is drawn after those that end it',
  (_, mode, last) => {
    const agent = (id: string, more: object = {}) => ({ id: 1, agents: [{ id, ...more }] })
    const { edges } = pipelineGraph(
      standing({
        pipelines: {
          p: { phases: [agent('a')] },
          q: { phases: [agent('b')] },
          r: { phases: [{ ...agent('c'), depends_on: 'group-1' }] },
          s: { phases: [agent('d', { blocked_by: 'group-1' })] },
        },
        barriers: { gate: { after_phases: ['group-1'] } },
        execution_queue: { groups: [{ id: 1, agents: ['a', 'b'], ...mode }] },
      }),
    )
    for (const waiting of ['r/1', 's/1/d', 'gate']) {
      const before = edges.filter(({ to }) => to === waiting).map(({ from }) => from.split('/')[2])
      expect(before.filter(Boolean)).toEqual(last)
    }
  },
)

const STATUSES = ['PENDING', 'IN_PROGRESS', 'COMPLETE', 'FAILED', 'BLOCKED']
const shape = fc.record({
  phases: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
  other: fc.integer({ min: 0, max: 3 }),
  queued: fc.boolean(),
})
const moves = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...STATUSES)), { maxLength: 25 })

/** A pipeline in which nothing has begun, with every figure as it then is. */
function fresh({
  phases,
  other,
  queued,
}: {
  phases: number[]
  other: number
  queued: boolean
}): Orchestration {
  const phasesOf = (name: string, sizes: readonly number[]) =>
    sizes.map((size, i) => ({
      id: i + 1,
      status: 'PENDING',
      agents: Array.from({ length: size }, (_, a) => ({
        id: `${name}-${i}-${a}`,
        status: 'PENDING',
      })),
    }))
  const pipelines = {
    p: { status: 'PENDING', current_phase: 1, progress_percent: 0, phases: phasesOf('p', phases) },
    ...(other > 0 ? { q: { progress_percent: 0, phases: phasesOf('q', [other]) } } : {}),
  }
  const ids = Object.values(pipelines).flatMap(({ phases }) =>
    phases.flatMap(({ agents }) => agents.map(({ id }) => id)),
  )
  const zero = {
    phases_complete: 0,
    phases_percent: 0,
    agents_executed: 0,
    agents_percent: 0,
    barriers_complete: 0,
    progress_percentage: 0,
  }
  return {
    pipelines,
    barriers: [{ id: 'b', status: 'PENDING', after_phases: ['p.phase.1'] }],
    metrics: { ...zero, execution: zero },
    ...(queued
      ? { execution_queue: { current_group: 1, groups: [{ id: 1, status: 'READY', agents: ids }] } }
      : {}),
  }
}

test('whatever is set, every figure counts what there is, and phases are as their agents are', () => {
  fc.assert(
    fc.property(shape, moves, (shape, moves) => {
      let value = fresh(shape)
      for (const [pick, status] of moves) {
        const now = standing(value)
        const units = unitsOf(now)
        const unit = units[pick % units.length] ?? expect.fail('there is nothing')
        if (unit.kind === 'barrier' && (status === 'FAILED' || status === 'BLOCKED')) continue
        const move = {
          value,
          standing: now,
          unit,
          status,
          at: '2026-06-01T00:00:00Z',
          isThere: () => true,
        }
        if (refusalsOf(move).length > 0) continue
        value = changesOf(move, false).reduce<Json>(
          withChange,
          value as unknown as Json,
        ) as unknown as Orchestration
        expectTrue(value)
      }
    }),
    { numRuns: 300 },
  )
})

function expectTrue(value: Orchestration) {
  for (const { path, stated, shown } of figuresOf(value)) {
    expect([path, stated >= shown[0] && stated <= shown[1]]).toEqual([path, true])
  }
  const phases = Object.values(value.pipelines).flatMap(pipeline => pipeline.phases)
  const agents = phases.flatMap(phase => phase.agents ?? [])
  const done = (list: readonly { status?: string }[]) =>
    list.filter(({ status }) => status === 'COMPLETE').length
  expect(value.metrics).toMatchObject({
    phases_complete: done(phases),
    agents_executed: done(agents),
    agents_percent: Math.round((100 * done(agents)) / agents.length),
    progress_percentage: Math.round((100 * done(agents)) / agents.length),
  })
  for (const phase of phases) {
    const isDone = done(phase.agents ?? []) === phase.agents?.length
    if (phase.status === 'COMPLETE') expect(isDone).toBe(true)
    if (isDone) expect(phase.status).toMatch(/COMPLETE|FAILED|BLOCKED/)
  }
  const open = value.pipelines.p?.phases.find(({ status }) => status !== 'COMPLETE')
  expect(value.pipelines.p?.current_phase).toBe(open?.id ?? value.pipelines.p?.phases.length)
  const [group] = value.execution_queue?.groups ?? []
  if (group) expect(group.status === 'COMPLETE').toBe(done(agents) === agents.length)
}
