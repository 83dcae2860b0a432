import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../test/database.ts'
import { envelopeOf, graphOf } from '../../../test/mission-payloads.ts'
import { submitMission } from '../../mission/run/submit.ts'
import type { App } from '../operation.ts'
import { followMission } from './following.ts'

const TASKS = Array.from({ length: 1500 }, (_, i) => `t${i}`)
const PLAN = { agent: 'a', prompt: null, retries: { limit: 0, first: 1, longest: 1 } }

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}

test('whoever follows a large mission for long needs no more memory than at first', async () => {
  const { store, remove } = await openDatabase()
  const mission = randomUUID()
  await submitMission(store, {
    envelope: envelopeOf(mission, 'acme'),
    graph: graphOf(mission, Object.fromEntries(TASKS.map(task => [task, []]))),
    decisions: [],
    plans: TASKS.map(task => ({ ...PLAN, task })),
    template: null,
  })
  let looks = 0
  const counting = Object.assign(Object.create(store), {
    tenant: (...args: Parameters<typeof store.tenant>) => {
      looks++
      return store.tenant(...args)
    },
  })
  const left = new AbortController()
  const app = { signal: left.signal } as App
  const following = (async () => {
    for await (const _ of followMission(counting, { tenant: 'acme', mission }, app));
  })()
  const after = async (count: number) => {
    while (looks < count) await new Promise(resolve => setTimeout(resolve, 20))
    return heap()
  }
  const before = await after(10)
  // Each look finds some 300 kB.
  expect((await after(50)) - before).toBeLessThan(4_000_000)
  left.abort()
  await following
  await remove()
}, 60_000)
