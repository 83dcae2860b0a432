import { expect, test } from 'vitest'
import { graphOf } from './graph.ts'
import { cyclesIn } from './order.ts'
import { soundPart } from './sound-part.ts'
import { standingOf } from './standing.ts'

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
    'and for a person where nobody knows what blocks it',
    { agents: ['a'], blocked_by: 'the budget' },
    { state: 'blocked', on: ['group 1'] },
  ],
  [
    'what a group depends on and nobody has holds its agents',
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
  const { units } = standingOf(soundPart(queued(group), []), () => false)
  const unit = [...units.values()].find(({ address }) => address === 'p/1/a')
  expect({ state: unit?.state, on: unit?.reasons.map(reason => reason.on) }).toEqual({ state, on })
})

test.each([
  ['a later one', [{ depends_on: 'group-2' }, {}]],
  ['a later one by its number alone', [{ depends_on: [2] }, {}]],
  ['itself', [{ depends_on: 'group-1' }]],
  ['one of its own agents', [{ agents: ['a'], depends_on: 'a' }]],
  ['a phase of its agents by what blocks it', [{ agents: ['a'], blocked_by: 'p.phase.1' }]],
])('a group of the queue that waits for %s waits for ever', (_, groups) => {
  expect(cyclesIn(graphOf(queued(...groups)).waits)).toHaveLength(1)
})

test('groups in their order are no circle, whatever of the order is said twice', () => {
  const value = queued({ agents: ['c'] }, { agents: ['a'], depends_on: ['group-1', 1, 'gate'] })
  expect(cyclesIn(graphOf(value).waits)).toEqual([])
})
