import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDocument, recognise } from '../../contract/index.ts'
import { readDocuments } from '../../document/index.ts'
import { contracts, findContract, loadContract } from '../catalogue.ts'
import { findCycles } from './cycles.ts'

test.each([
  ['no node at all', [], []],
  ['a diamond', [[1, 2], [3], [3], []], []],
  ['a node that points to itself', [[0]], [[0]]],
  ['two that point to each other', [[1], [0]], [[0, 1]]],
  ['the same edge twice', [[1, 1], [0]], [[0, 1]]],
  ['a cycle behind a tail', [[1], [2], [3], [1]], [[1, 2, 3]]],
  ['the shorter of two cycles through the first node', [[1, 3], [2], [0], [0]], [[0, 3]]],
  [
    'one cycle of each group',
    [[1], [0, 2], [3], [2]],
    [
      [0, 1],
      [2, 3],
    ],
  ],
  ['a cycle that only other edges of its group reach', [[1, 2], [], [3], [0]], [[0, 2, 3]]],
])('of %s come the right cycles', (_, edges, cycles) => {
  expect(findCycles(edges)).toEqual(cycles)
})

const graphs = fc.nat(12).chain(size =>
  fc.array(fc.array(fc.nat(Math.max(0, size - 1)), { maxLength: 4 }), {
    minLength: size,
    maxLength: size,
  }),
)

test('a cycle is found exactly where a walk along the edges can return, and it is one', () => {
  fc.assert(
    fc.property(graphs, edges => {
      const cycles = findCycles(edges)
      const returning = [...edges.keys()].some(node => reachable(node, edges).has(node))
      expect(cycles.length > 0).toBe(returning)
      for (const cycle of cycles) {
        expect(new Set(cycle).size).toBe(cycle.length)
        for (const [i, node] of cycle.entries()) {
          expect(edges[node]).toContain(cycle[(i + 1) % cycle.length])
        }
      }
    }),
  )
})

function reachable(start: number, edges: readonly (readonly number[])[]): Set<number> {
  const seen = new Set(edges[start])
  for (const node of seen) for (const to of edges[node] ?? []) seen.add(to)
  return seen
}

const MISSION = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'

function graphOf(tasks: readonly { id: string; after: readonly string[] }[]): string {
  return JSON.stringify({
    schema_name: 'mission_task_graph',
    schema_version: 'v1',
    mission_id: MISSION,
    tasks: tasks.map(({ id, after }) => ({
      task_id: id,
      role_type: 'worker',
      objective: `Do ${id}.`,
      depends_on: after,
      required_capabilities: [],
      allowed_tools: [],
      required_data_scopes: [],
      success_criteria: ['it is done'],
    })),
    created_at: '2026-04-14T12:00:02Z',
    producer: 'planner_agent',
  })
}

const COUNT = 5000
const name = (i: number) => `task_${i}`
const chain = Array.from({ length: COUNT }, (_, i) => ({
  id: name(i),
  after: i === 0 ? [] : [name(i - 1)],
}))

test.each([
  [
    'two tasks at the end of a chain',
    chain.map((t, i) => (i === COUNT - 2 ? { ...t, after: [...t.after, name(COUNT - 1)] } : t)),
    "'task_4998' → 'task_4999' → 'task_4998'",
  ],
  [
    'a chain that closes at its end',
    chain.map((t, i) => (i === 0 ? { ...t, after: [name(COUNT - 1)] } : t)),
    "'task_0' → 'task_4999' → 'task_4998' → 'task_4997' → 'task_4996' → 4994 more tasks → 'task_1' → 'task_0'",
  ],
])('in 5,000 tasks a cycle of %s is found and named', async (_, tasks, circle) => {
  const { documents } = await readDocuments(graphOf(tasks), 'json')
  const [document] = documents
  const recognised = document && recognise(document.value, '', contracts, 'walk')
  const contract = findContract('mission-task-graph')
  if (!document || !recognised || !contract) throw new Error('the graph was not recognised')
  const loaded = await loadContract(contract)
  const facts = { artifacts: { value: [] } }
  const result = checkDocument(document, recognised, loaded, { now: Date.UTC(2026, 5, 1), facts })
  const messages = result.diagnostics.map(d => `${d.code} ${d.message}`)
  expect(messages).toEqual([
    `mission-task-graph/acyclic-dependencies tasks depend on each other in a cycle: ${circle}`,
  ])
})
