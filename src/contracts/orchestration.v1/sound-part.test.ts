import { expect, test } from 'vitest'
import { progressOf } from './pipeline-progress.ts'
import { soundPart } from './sound-part.ts'

function standing(value: unknown, pointers: readonly string[]) {
  const { units } = progressOf(soundPart(value, pointers), () => false)
  return new Map([...units.values()].map(unit => [unit.address, unit]))
}

const agent = (id: string, status?: string, more: object = {}) => ({
  id,
  ...(status && { status }),
  ...more,
})
const phase = (id: number, agents: object[], more: object = {}) => ({ id, agents, ...more })
const one = (...phases: object[]) => ({ pipelines: { p: { phases } } })

test.each<[string, unknown, string[], Record<string, string>]>([
  [
    'an agent with a bad status is never ready',
    one(phase(1, [agent('a', 'DONE'), agent('b')])),
    ['/pipelines/p/phases/0/agents/0/status'],
    { 'p/1/a': 'blocked', 'p/1/b': 'ready' },
  ],
  [
    'an agent without an id keeps its place',
    one(phase(1, [{ status: 'COMPLETE' }, agent('b')])),
    ['/pipelines/p/phases/0/agents/0/id'],
    { 'p/1/agent 1': 'blocked', 'p/1/b': 'ready' },
  ],
  [
    'what is no agent at all keeps its place',
    one(phase(1, [7, agent('b')] as object[])),
    ['/pipelines/p/phases/0/agents/0'],
    { 'p/1/agent 1': 'blocked', 'p/1/b': 'ready' },
  ],
  [
    'a phase whose agents are no list is open',
    one({ id: 1, status: 'COMPLETE', agents: {} }, phase(2, [agent('b')])),
    ['/pipelines/p/phases/0/agents'],
    { 'p/1': 'blocked', 'p/2/b': 'waiting' },
  ],
  [
    'a pipeline without phases is empty, and the others are there',
    { pipelines: { p: {}, q: { phases: [phase(1, [agent('a')])] } } },
    ['/pipelines/p/phases'],
    { 'q/1/a': 'ready' },
  ],
  [
    'a bad queue stops everything',
    { ...one(phase(1, [agent('a')])), execution_queue: 7 },
    ['/execution_queue'],
    { 'p/1/a': 'blocked' },
  ],
  [
    'a bad barrier holds back',
    {
      ...one(phase(1, [agent('a', 'COMPLETE')]), phase(2, [agent('b')])),
      barriers: { x: { status: 'COMPLETE', depends_on: 'p.phase.1', name: 7 } },
    },
    ['/barriers/x/name'],
    { 'p/2/b': 'waiting', x: 'blocked' },
  ],
  [
    'figures at fault stop nothing',
    { ...one(phase(1, [agent('a')])), metrics: { phases_total: 'x' } },
    ['/metrics/phases_total'],
    { 'p/1/a': 'ready' },
  ],
  ['a document that is no object has no parts', 7, [''], {}],
])('%s', (_, value, pointers, states) => {
  const found = standing(value, pointers)
  for (const [address, state] of Object.entries(states))
    expect([address, found.get(address)?.state]).toEqual([address, state])
})
