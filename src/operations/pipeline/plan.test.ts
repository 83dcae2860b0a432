import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { openPipeline } from './open.ts'
import { openAgents } from './plan.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

/** What is planned of a pipeline in which `third` comes after a group of the queue, and what is left. */
async function planned(third: string, group: string) {
  folder.write(
    'ORCHESTRATION.yaml',
    `workflow: { id: parcels, status: ACTIVE }
pipelines:
  a: { phases: [{ id: 1, agents: [{ id: first, status: PENDING }, { id: second, status: COMPLETE }] }] }
  b: { phases: [${third}] }
barriers: { gate: { status: PENDING, after_phases: [group-1] } }
execution_queue: { groups: [${group}] }
`,
  )
  const pipeline = await openPipeline(undefined, folder.app())
  expect(pipeline.report.diagnostics).toEqual([])
  const { agents, left } = openAgents(pipeline)
  return {
    agents: agents.map(({ unit, after }) => [unit.address, ...after]),
    left: left.map(({ address }) => address),
  }
}

const GROUP = '{ id: 1, agents: [first, second] }'
const AGENT = '{ id: third, status: PENDING }'

test.each([
  ['a phase that depends on a group', `{ id: 1, depends_on: [group-1], agents: [${AGENT}] }`],
  ['one that is blocked by it', `{ id: 1, blocked_by: group-1, agents: [${AGENT}] }`],
  ['an agent', '{ id: 1, agents: [{ id: third, status: PENDING, depends_on: [group-1] }] }'],
  ['what waits for a barrier after it', `{ id: 1, depends_on: gate, agents: [${AGENT}] }`],
])('%s is run after the agents of the group', async (_, third) => {
  expect(await planned(third, GROUP)).toEqual({
    agents: [['a/1/first'], ['b/1/third', 'a/1/first']],
    left: [],
  })
})

test.each(['tasks: [write it up]', 'agents: [first, somebody]', 'agents: []'])(
  'what waits for a group of which agents do not tell everything is left to a person: %s',
  async group => {
    const third = `{ id: 1, agents: [{ id: third, status: PENDING, depends_on: group-1 }] }`
    const { agents, left } = await planned(third, `{ id: 1, status: PENDING, ${group} }`)
    expect({ agents, left }).toEqual({ agents: [['a/1/first']], left: ['b/1/third'] })
  },
)

test('who comes after many waits for those right before, and by them for the rest', async () => {
  const phases = [1, 2, 3].map(id => `{ id: ${id}, agents: [{ id: a${id} }, { id: b${id} }] }`)
  folder.write('ORCHESTRATION.yaml', `pipelines: { p: { phases: [${phases.join(', ')}] } }\n`)
  const { agents } = openAgents(await openPipeline(undefined, folder.app()))
  expect(agents.map(({ unit, after }) => [unit.address, ...[...after].sort()])).toEqual([
    ['p/1/a1'],
    ['p/1/b1'],
    ['p/2/a2', 'p/1/a1', 'p/1/b1'],
    ['p/2/b2', 'p/1/a1', 'p/1/b1'],
    ['p/3/a3', 'p/2/a2', 'p/2/b2'],
    ['p/3/b3', 'p/2/a2', 'p/2/b2'],
  ])
})
