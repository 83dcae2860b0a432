import { expect, test } from 'vitest'
import { graphOf } from './graph.ts'
import { cyclesIn } from './order.ts'
import { progressOf } from './pipeline-progress.ts'
import { soundPart } from './sound-part.ts'

const phase = (id: string) => ({ id: 1, agents: [{ id }] })
const queued = (...groups: object[]) => ({
  pipelines: { p: { phases: [phase('a')] }, q: { phases: [phase('c')] } },
  barriers: { gate: { depends_on: 'q.phase.1' } },
  execution_queue: { groups: groups.map((group, i) => ({ id: i + 1, ...group })) },
})

interface Wanted {
  readonly state: string
  readonly on?: readonly string[]
}

test.each<[string, object, Wanted]>([
  [
    'a group waits for the barrier that it depends on',
    { agents: ['a'], depends_on: ['gate'] },
    { state: 'waiting', on: ['gate'] },
  ],
  [
    'or for the phase that it is blocked by',
    { agents: ['a'], blocked_by: 'q.phase.1' },
    { state: 'waiting', on: ['q/1'] },
  ],
  [
    'or for the group that it is blocked by, as depends_on would name it',
    { agents: ['a'], id: 2, blocked_by: '3' },
    { state: 'waiting', on: ['group 3'] },
  ],
  [
    'and for a person where it is unknown what blocks it',
    { agents: ['a'], blocked_by: 'the budget' },
    { state: 'blocked', on: ['group 1'] },
  ],
  [
    'an unknown dependency of a group holds its agents',
    { agents: ['a'], depends_on: 'gate-9' },
    { state: 'blocked', on: ['gate-9'] },
  ],
  [
    'agents of a SEQUENTIAL group follow each other',
    { agents: ['c', 'a'], execution_mode: 'SEQUENTIAL' },
    { state: 'waiting', on: ['q/1/c'] },
  ],
  [
    'those of a PARALLEL group do not',
    { agents: ['c', 'a'], execution_mode: 'PARALLEL' },
    { state: 'ready' },
  ],
])('%s', (_, group, { state, on = [] }) => {
  const other = { id: 3, agents: ['c'] }
  const groups = 'id' in group ? [other, group] : [group]
  const { units } = progressOf(soundPart(queued(...groups), []), () => false)
  const unit = [...units.values()].find(({ address }) => address === 'p/1/a')
  expect({ state: unit?.state, on: unit?.reasons.map(reason => reason.on) }).toEqual({ state, on })
})

test.each([
  ['a later one', [{ depends_on: 'group-2' }, {}]],
  ['a later one by its number alone', [{ depends_on: [2] }, {}]],
  ['itself', [{ depends_on: 'group-1' }]],
  ['one of its own agents', [{ agents: ['a'], depends_on: 'a' }]],
  ['a later one that it is blocked by', [{ blocked_by: '2' }, {}]],
  ['a phase of its agents by what blocks it', [{ agents: ['a'], blocked_by: 'p.phase.1' }]],
])('a group of the queue that waits for %s waits for ever', (_, groups) => {
  expect(cyclesIn(graphOf(queued(...groups)).waits)).toHaveLength(1)
})

test('groups in their order are no circle, whatever of the order is said twice', () => {
  const value = queued({ agents: ['c'] }, { agents: ['a'], depends_on: ['group-1', 1, 'gate'] })
  expect(cyclesIn(graphOf(value).waits)).toEqual([])
})

const waiting = {
  'a phase by depends_on': { phase: { depends_on: 'group-1' } },
  'a phase by blocked_by': { phase: { blocked_by: 'group-1' } },
  'an agent by depends_on': { agent: { depends_on: ['group-1'] } },
  'an agent by blocked_by': { agent: { blocked_by: 'group-1' } },
  'a barrier by depends_on': { barrier: { depends_on: 'group-1' } },
  'a barrier by blocked_by': { barrier: { blocked_by: 'group-1' } },
  'a barrier by after_phases': { barrier: { after_phases: ['group-1'] } },
}
type Waiting = { phase?: object; agent?: object; barrier?: object }

/** Whether the first of a group, and what waits for it, may start. */
function besideGroup({ phase, agent, barrier }: Waiting, group: object, status = 'PENDING') {
  const value = {
    pipelines: {
      p: { phases: [{ id: 1, agents: [{ id: 'a', status }] }] },
      q: { phases: [{ id: 1, ...phase, agents: [{ id: 'c', ...agent }] }] },
    },
    barriers: { gate: { ...barrier } },
    execution_queue: { groups: [{ id: 1, agents: ['a'], ...group }] },
  }
  const { units } = progressOf(soundPart(value, []), () => false)
  const held = [...units.values()].find(({ address }) => address === (barrier ? 'gate' : 'q/1/c'))
  return [held?.state, held?.reasons.map(({ message }) => message)]
}

const HELD = ['waiting', ['group 1 of the queue comes first']]
const FREE = ['ready', []]

test.each(Object.entries<Waiting>(waiting))('%s waits for a group of the queue', (_, held) => {
  expect(besideGroup(held, {})).toEqual(HELD)
  expect(besideGroup(held, { status: 'COMPLETE' })).toEqual(HELD)
  expect(besideGroup(held, {}, 'COMPLETE')).toEqual(FREE)
})

test.each([
  ['tasks', { tasks: ['write it up'] }],
  ['an agent that no phase has', { agents: ['a', 'unlisted'] }],
  ['nothing in it', { agents: [] }],
])('a group with %s is waited for until its status says that it is complete', (_, group) => {
  for (const held of Object.values<Waiting>(waiting)) {
    expect(besideGroup(held, group, 'COMPLETE')).toEqual(HELD)
    expect(besideGroup(held, { ...group, status: 'COMPLETE' }, 'COMPLETE')).toEqual(FREE)
  }
})
