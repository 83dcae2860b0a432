import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { envelopeOf, graphOf } from '../../../test/mission-payloads.ts'
import { comesTrue } from '../../../test/processes.ts'
import { beginningClient, DURABLE, openPool, type Pool } from '../../store/index.ts'
import { loadQueues } from '../packages.ts'
import { type Attempt, type Durable, openDurable } from './durable.ts'
import { submitMission } from './submit.ts'

let database: Database
/** There is one for each process. */
let durable: Durable
let pool: Pool
let run: (attempt: Attempt) => Promise<void>
beforeAll(async () => {
  database = await openDatabase()
  const { by } = await database.store.isolation()
  const role = by === 'roles' ? DURABLE : undefined
  const how = { pipeline: true, Client: await beginningClient() }
  pool = await openPool(database.url, 4, role, how)
  durable = await openDurable({
    pool,
    worker: randomUUID(),
    concurrency: 2,
    run: attempt => run(attempt),
  })
})
afterAll(() => database?.remove())

/** Queues so many tasks, and answers of which mission. */
async function queue(count: number): Promise<string> {
  const mission = randomUUID()
  const tasks = Array.from({ length: count }, (_, i) => `t${i}`)
  const plan = { agent: 'a', prompt: null, retries: { limit: 0, first: 1, longest: 1 } }
  await submitMission(database.store, {
    envelope: envelopeOf(mission, 'acme'),
    graph: graphOf(mission, Object.fromEntries(tasks.map(task => [task, []]))),
    decisions: [],
    plans: tasks.map(task => ({ ...plan, task })),
    template: null,
  })
  return mission
}

/** Has the engine look into the queue once in so many milliseconds by itself. */
async function lookEvery(interval: number): Promise<void> {
  const { registerInternalQueue } = await loadQueues()
  Object.assign(registerInternalQueue('tasks'), { minPollingIntervalMs: interval })
  // The next look is still due when it was.
  await pause(500)
}

test('however often the queue is looked into, no more is taken at once than there is room for', async () => {
  let running = 0
  let most = 0
  let done = 0
  const lookOften = async (times: number) => {
    for (let i = 0; i < times; i++) {
      durable.look()
      await pause(1)
    }
  }
  run = async () => {
    most = Math.max(most, ++running)
    await lookOften(10)
    running--
    done++
  }
  await lookEvery(1)
  await queue(50)
  await comesTrue(() => done === 50, 60_000)
  expect(most).toBe(2)
})

/** How often the database is asked for anything within so many milliseconds. */
async function asked(milliseconds: number): Promise<number> {
  let count = 0
  const note = () => void count++
  pool.on('acquire', note)
  await pause(milliseconds)
  pool.off('acquire', note)
  return count
}

test('the queue is looked into often where much happens, seldom where nothing does, and not where there is no room', async () => {
  let end = () => {}
  const ending = new Promise<void>(resolve => {
    end = resolve
  })
  let running = 0
  run = () => {
    running++
    return ending
  }
  await lookEvery(1)
  await pause(1_500)
  const quiet = await asked(500)
  durable.look()
  const lively = await asked(500)
  expect(lively).toBeGreaterThan(3 * quiet)
  await queue(2)
  await comesTrue(() => running === 2, 20_000)
  durable.look()
  expect(await asked(500)).toBeLessThan(lively / 3)
  end()
})

test('who has done a task has place for the next at once, though the engine has its end still to note', async () => {
  let done = 0
  run = async () => void done++
  await lookEvery(60_000)
  await queue(20)
  durable.look()
  expect(await comesTrue(() => done === 20, 20_000)).toBe(true)
})

test('what was queued is taken at once after a signal, and nothing when the queue is closed', async () => {
  const begun: string[] = []
  run = async ({ mission }) => void begun.push(mission)
  await lookEvery(60_000)
  const first = await queue(1)
  await pause(500)
  expect(begun).toEqual([])
  durable.look()
  await comesTrue(() => begun.length > 0, 20_000)
  await durable.close()
  await queue(1)
  durable.look()
  await pause(500)
  expect(begun).toEqual([first])
})
