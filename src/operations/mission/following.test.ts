import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../test/database.ts'
import { envelopeOf, graphOf } from '../../../test/mission-payloads.ts'
import { openRelay } from '../../../test/relay.ts'
import { submitMission } from '../../mission/run/submit.ts'
import { openStore } from '../../store/index.ts'
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

test('a mission that was read before is followed once the database is reachable again', async () => {
  const { url, store, remove } = await openDatabase()
  const mission = randomUUID()
  await submitMission(store, {
    envelope: envelopeOf(mission, 'acme'),
    graph: graphOf(mission, { one: [] }),
    decisions: [],
    plans: [{ ...PLAN, task: 'one' }],
    template: null,
  })
  const relay = await openRelay(url)
  const distant = await openStore({ url: relay.url, patience: 50 })
  await relay.close()
  const said: string[] = []
  const left = new AbortController()
  const app = { signal: left.signal, tell: (line: string) => said.push(line) } as unknown as App
  const which = { tenant: 'acme', mission }
  await expect(followMission(distant, which, app).next()).rejects.toMatchObject({
    code: 'store-unavailable',
  })
  const following = followMission(distant, which, app, { isKnown: true })
  const first = following.next()
  await expect.poll(() => said).toEqual(['the database does not answer; waiting for it'])
  await relay.open()
  expect((await first).value).toMatchObject({ mission, state: 'running' })
  left.abort()
  await following.next()
  await distant.close()
  await relay.end()
  await remove()
})

test('following a large mission for long needs no more memory than at first', async () => {
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
