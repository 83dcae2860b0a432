import { expect, test } from 'vitest'
import { graphOf, MISSION } from '../../../test/mission-payloads.ts'
import { servedBy } from './served.ts'

const lib = { task_id: 'lib', role_type: 'librarian' } as const

test('a librarian works for those that wait for it, through others as well, in whatever graph they stand', () => {
  const graphs = [
    graphOf(MISSION, { last: ['one', 'other'], one: ['lib'], lib: ['plan'], apart: ['plan'] }),
    graphOf(MISSION, { later: ['last'], other: [] }),
  ]
  expect(servedBy(lib, graphs)?.toSorted()).toEqual(['last', 'later', 'one'])
  expect(servedBy({ ...lib, role_type: 'worker' }, graphs)).toBeUndefined()
})

test('ten thousand tasks, each before the one that it waits for, are computed fast', () => {
  const names = ['lib', ...Array.from({ length: 10_000 }, (_, i) => `t${i}`)]
  const tasks = names.slice(1).map((name, i) => [name, [names[i] ?? '']] as const)
  const graph = graphOf(MISSION, Object.fromEntries(tasks.toReversed()))
  const began = performance.now()
  expect(servedBy(lib, [graph])).toHaveLength(10_000)
  expect(performance.now() - began).toBeLessThan(1_000)
})
