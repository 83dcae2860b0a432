import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../../test/cpu-time.ts'
import { progressOf } from './pipeline-progress.ts'
import { soundPart } from './sound-part.ts'

interface Wanted {
  readonly state: string
  readonly on?: readonly string[]
  readonly stuck?: boolean
}

function standing(value: unknown, files: readonly string[] = []) {
  const { units } = progressOf(soundPart(value, []), path => files.includes(path))
  return new Map([...units.values()].map(unit => [unit.address, unit]))
}

const agent = (id: string, status?: string, more: object = {}) => ({
  id,
  ...(status && { status }),
  ...more,
})
const phase = (id: number, agents: object[], more: object = {}) => ({ id, agents, ...more })
const one = (...phases: object[]) => ({ pipelines: { p: { phases } } })

test.each<[string, object, string, Wanted]>([
  [
    'an agent of the first phase is ready',
    one(phase(1, [agent('a')])),
    'p/1/a',
    { state: 'ready' },
  ],
  [
    'so is one whose phase says PENDING',
    one(phase(1, [agent('a', 'PENDING')], { status: 'PENDING' })),
    'p/1/a',
    { state: 'ready' },
  ],
  [
    'one of the second phase waits for the first',
    one(phase(1, [agent('a')]), phase(2, [agent('b')])),
    'p/2/b',
    { state: 'waiting', on: ['p/1'], stuck: false },
  ],
  [
    'until its agents are complete',
    one(phase(1, [agent('a', 'COMPLETE')]), phase(2, [agent('b')])),
    'p/2/b',
    { state: 'ready' },
  ],
  [
    'and its status says so, where it has one',
    one(phase(1, [agent('a', 'COMPLETE')], { status: 'IN_PROGRESS' }), phase(2, [agent('b')])),
    'p/2/b',
    { state: 'waiting', on: ['p/1'] },
  ],
  [
    'a phase that is called complete with an open agent is not',
    one(phase(1, [agent('a', 'PENDING')], { status: 'COMPLETE' }), phase(2, [agent('b')])),
    'p/2/b',
    { state: 'waiting', on: ['p/1'] },
  ],
  [
    'one with an agent that failed is',
    one(
      phase(1, [agent('a', 'COMPLETE'), agent('c', 'FAILED')], { status: 'COMPLETE' }),
      phase(2, [agent('b')]),
    ),
    'p/2/b',
    { state: 'ready' },
  ],
  [
    'an agent without a status is as its phase',
    one(phase(1, [agent('a')], { status: 'COMPLETE' })),
    'p/1/a',
    { state: 'done' },
  ],
  [
    'a phase without agents or status is open',
    one(phase(1, []), phase(2, [agent('b')])),
    'p/2/b',
    { state: 'waiting', on: ['p/1'] },
  ],
  [
    'what waits for something failed is stuck',
    one(phase(1, [agent('a', 'FAILED'), agent('b', 'PENDING', { depends_on: 'a' })])),
    'p/1/b',
    { state: 'blocked', on: ['p/1/a'], stuck: true },
  ],
  [
    'an agent that is under way is running',
    one(phase(1, [agent('a', 'IN_PROGRESS')])),
    'p/1/a',
    { state: 'running' },
  ],
  [
    'one that failed has failed',
    one(phase(1, [agent('a', 'FAILED')])),
    'p/1/a',
    { state: 'failed' },
  ],
  [
    'agents side by side are both ready',
    one(phase(1, [agent('a'), agent('b')])),
    'p/1/b',
    { state: 'ready' },
  ],
  [
    'agents one after another wait for their turn',
    one(phase(1, [agent('a'), agent('b')], { execution_mode: 'SEQUENTIAL' })),
    'p/1/b',
    { state: 'waiting', on: ['p/1/a'] },
  ],
  [
    'the first of them does not',
    one(phase(1, [agent('a'), agent('b')], { execution_mode: 'SEQUENTIAL' })),
    'p/1/a',
    { state: 'ready' },
  ],
  [
    'a barrier is ready when what it waits for is done',
    { ...one(phase(1, [agent('a', 'COMPLETE')])), barriers: { x: { depends_on: ['p.phase.1'] } } },
    'x',
    { state: 'ready' },
  ],
  [
    'a barrier that is not passed holds back what follows',
    {
      ...one(phase(1, [agent('a', 'COMPLETE')]), phase(2, [agent('b')])),
      barriers: { x: { depends_on: ['p.phase.1'] } },
    },
    'p/2/b',
    { state: 'waiting', on: ['x'] },
  ],
  [
    'BLOCKED by something open waits for it',
    { ...one(phase(1, [agent('a', 'BLOCKED', { blocked_by: 'x' })])), barriers: { x: {} } },
    'p/1/a',
    { state: 'waiting', on: ['x'] },
  ],
  [
    'BLOCKED by something done is ready',
    {
      ...one(phase(1, [agent('a', 'BLOCKED', { blocked_by: 'x' })])),
      barriers: { x: { status: 'COMPLETE' } },
    },
    'p/1/a',
    { state: 'ready' },
  ],
  [
    'BLOCKED by an unknown id is stuck',
    one(phase(1, [agent('a', 'BLOCKED', { blocked_by: 'no access' })])),
    'p/1/a',
    { state: 'blocked', on: ['p/1/a'], stuck: true },
  ],
  [
    'BLOCKED by nothing named is stuck',
    one(phase(1, [agent('a', 'BLOCKED')])),
    'p/1/a',
    { state: 'blocked', on: ['p/1/a'] },
  ],
  [
    'agents of a BLOCKED phase are stuck',
    one(phase(1, [agent('a')], { status: 'BLOCKED' })),
    'p/1/a',
    { state: 'blocked', on: ['p/1'] },
  ],
  [
    'what depends on nothing that is there is stuck',
    one(phase(1, [agent('a', 'PENDING', { depends_on: ['z'] })])),
    'p/1/a',
    { state: 'blocked', on: ['z'] },
  ],
  [
    'a circle is never ready',
    one(
      phase(1, [
        agent('a', 'PENDING', { depends_on: 'b' }),
        agent('b', 'PENDING', { depends_on: 'a' }),
      ]),
    ),
    'p/1/a',
    { state: 'waiting', on: ['p/1/b'] },
  ],
  [
    'a paused workflow starts nothing',
    { workflow: { status: 'PAUSED' }, ...one(phase(1, [agent('a')])) },
    'p/1/a',
    { state: 'blocked', on: ['PAUSED'] },
  ],
  [
    'an input that no agent writes is missing',
    one(phase(1, [agent('a', 'PENDING', { session_context: { input: 'x.json' } })])),
    'p/1/a',
    { state: 'blocked', on: ['x.json'] },
  ],
  [
    'an input that is there is not',
    one(phase(1, [agent('a', 'PENDING', { session_context: { input: './there.json' } })])),
    'p/1/a',
    { state: 'ready' },
  ],
  [
    'an input that another agent has still to write is waited for',
    one(
      phase(1, [
        agent('b', 'IN_PROGRESS', { artifact: 'x.json' }),
        agent('a', 'PENDING', { session_context: { input: 'x.json' } }),
      ]),
    ),
    'p/1/a',
    { state: 'waiting', on: ['x.json'] },
  ],
  [
    'one that was to be written is missing',
    one(
      phase(1, [
        agent('b', 'COMPLETE', { artifact: 'x.json' }),
        agent('a', 'PENDING', { session_context: { input: 'x.json' } }),
      ]),
    ),
    'p/1/a',
    { state: 'blocked', on: ['x.json'] },
  ],
  [
    'an input out of the repository is no input',
    one(phase(1, [agent('a', 'PENDING', { session_context: { input: '/etc/passwd' } })])),
    'p/1/a',
    { state: 'blocked', on: ['/etc/passwd'] },
  ],
  [
    'a later group of the queue waits',
    {
      ...one(phase(1, [agent('a'), agent('b')])),
      execution_queue: {
        groups: [
          { id: 1, agents: ['a'] },
          { id: 2, agents: ['b'] },
        ],
      },
    },
    'p/1/b',
    { state: 'waiting', on: ['group 1'] },
  ],
  [
    'until the earlier one is complete',
    {
      ...one(phase(1, [agent('a', 'COMPLETE'), agent('b')])),
      execution_queue: {
        groups: [
          { id: 1, agents: ['a'] },
          { id: 2, agents: ['b'] },
        ],
      },
    },
    'p/1/b',
    { state: 'ready' },
  ],
  [
    'a group with tasks is complete when it says so',
    {
      ...one(phase(1, [agent('a', 'COMPLETE'), agent('b')])),
      execution_queue: {
        groups: [
          { id: 1, agents: ['a'], tasks: ['t'] },
          { id: 2, agents: ['b'] },
        ],
      },
    },
    'p/1/b',
    { state: 'waiting', on: ['group 1'] },
  ],
])('%s', (_, value, address, { state, on = [], stuck }) => {
  const unit = standing(value, ['there.json']).get(address)
  expect({ state: unit?.state, on: unit?.reasons.map(reason => reason.on) }).toEqual({ state, on })
  if (stuck !== undefined) expect(unit?.reasons.some(reason => reason.stuck)).toBe(stuck)
})

test('ten thousand agents that wait for ten thousand barriers take no minutes', async () => {
  const agents = Array.from({ length: 10_000 }, (_, i) => agent(`a${i}`))
  const barriers = Object.fromEntries(agents.map((_, i) => [`b${i}`, { depends_on: 'p.phase.1' }]))
  const value = { ...one(phase(1, [agent('first')]), phase(2, agents)), barriers }
  const ms = await cpuTimeOf(() => {
    expect(standing(value).get('p/2/a9999')?.state).toBe('waiting')
  })
  expect(ms).toBeLessThan(5000)
})
