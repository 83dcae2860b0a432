import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { envelopeOf, exampleOf, graphOf, type Payload } from '../../../test/mission-payloads.ts'
import { WaybillError } from '../../error.ts'
import { claimTask, listArtifacts, readRun, readTask, type Store } from '../../store/index.ts'
import { NOTHING } from './endings.ts'
import { leave, openEnds } from './leave.ts'
import { submitMission } from './submit.ts'
import type { WorkerContext } from './worker-context.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database?.remove())

/** Both of the tasks that a third one waits for, claimed. */
async function claimed(worker: string) {
  const { store } = database
  const mission = randomUUID()
  const plan = { agent: 'a', prompt: null, retries: { limit: 0, first: 1, longest: 1 } }
  await submitMission(store, {
    envelope: envelopeOf(mission, 'acme'),
    graph: graphOf(mission, { first: [], second: [], third: ['first', 'second'] }),
    decisions: [],
    plans: ['first', 'second', 'third'].map(task => ({ ...plan, task })),
    template: null,
  })
  const claim = (task: string) => {
    const attempt = { tenant: 'acme', mission, task, attempt: 1 }
    return store.tenant('acme', async tx => {
      await claimTask(tx, { ...attempt, worker })
      const run = await readTask(tx, mission, task)
      if (!run) throw new Error('there is no such task')
      return { attempt, task: run, worker, handoff: randomUUID() }
    })
  }
  return { first: await claim('first'), second: await claim('second') }
}

type Leaving = Awaited<ReturnType<typeof claimed>>['first']

function resultOf({ attempt: { mission, task } }: Leaving, more: Payload = {}): Payload {
  const result = { ...exampleOf('worker-result.v1'), mission_id: mission, task_id: task }
  return { ...result, result_id: `wrk_${task}_${mission}`, tool_trace_refs: [], ...more }
}

async function found({ attempt: { mission } }: Leaving) {
  return database.store.tenant('acme', async tx => ({
    first: await readTask(tx, mission, 'first'),
    second: await readTask(tx, mission, 'second'),
    third: await readTask(tx, mission, 'third'),
    run: await readRun(tx, mission),
    results: (await listArtifacts(tx, 'worker_result', mission)).length,
  }))
}

/** Ends attempts in one turn, and tells how many transactions that took. */
async function leaveTogether(all: readonly (readonly [Leaving, Payload])[]): Promise<number> {
  let transactions = 0
  const store: Store = Object.assign(Object.create(database.store), {
    tenant: (...args: Parameters<Store['tenant']>) => {
      transactions++
      return database.store.tenant(...args)
    },
  })
  const how = { shop: { store } as unknown as WorkerContext, ends: openEnds(), isLast: true }
  const ending = (artifact: Payload) =>
    ({ is: 'done', artifacts: [artifact], plans: [], revision: 0, usage: NOTHING }) as const
  await Promise.all(all.map(([one, artifact]) => leave(one, ending(artifact), how)))
  return transactions
}

const ONE_DONE = {
  first: { state: 'done' },
  second: { state: 'running' },
  third: { state: 'blocked' },
  run: { state: 'running', openTasks: 2, activeTasks: 1 },
  results: 1,
}

test('attempts that end at one moment end in one transaction', async () => {
  const worker = randomUUID()
  const all = await Promise.all(Array.from({ length: 5 }, () => claimed(worker)))
  expect(await leaveTogether(all.map(({ first }) => [first, resultOf(first)]))).toBe(1)
  for (const { first } of all) expect(await found(first)).toMatchObject(ONE_DONE)
})

test('of attempts that end at one moment none pays for one that was overtaken, or that brings what is refused', async () => {
  const worker = randomUUID()
  const [{ first: good }, { first: late }, { first: bad }] = [
    await claimed(worker),
    await claimed(worker),
    await claimed(worker),
  ]
  await leaveTogether([
    [good, resultOf(good)],
    [{ ...late, attempt: { ...late.attempt, attempt: 0 } }, resultOf(late)],
    [bad, resultOf(bad, { summary: '\ud800' })],
  ])
  expect(await found(good)).toMatchObject(ONE_DONE)
  expect(await found(late)).toMatchObject({ first: { state: 'running' }, results: 0 })
  const reason = { code: 'mission/artifact-refused' }
  expect(await found(bad)).toMatchObject({ first: { state: 'failed', reason }, results: 0 })
})

test('of attempts that end at one moment none pays for one that the database refuses, nor does their worker', async () => {
  const all: Leaving[] = []
  for (let i = 0; i < 3; i++) all.push((await claimed(randomUUID())).first)
  // What is sent first is refused with what is sent last.
  const [one, other, last] = all.toSorted((a, b) =>
    a.attempt.mission < b.attempt.mission ? -1 : 1,
  )
  if (!one || !other || !last) throw new Error('they are not claimed')
  const tooLong = Array.from({ length: 400 }, () => randomUUID()).join('')
  await leaveTogether([
    [one, resultOf(one)],
    [other, resultOf(other)],
    [last, resultOf(last, { result_id: tooLong })],
  ])
  for (const good of [one, other]) expect(await found(good)).toMatchObject(ONE_DONE)
  const reason = { code: 'mission/artifact-refused' }
  expect(await found(last)).toMatchObject({ first: { state: 'failed', reason }, results: 0 })
})

test('two tasks of one mission that end at one moment are both counted, and what waited for both is queued', async () => {
  const { first, second } = await claimed(randomUUID())
  await leaveTogether([
    [first, resultOf(first)],
    [second, resultOf(second)],
  ])
  expect(await found(first)).toMatchObject({
    first: { state: 'done' },
    second: { state: 'done' },
    third: { state: 'queued', attempt: 1 },
    run: { state: 'running', openTasks: 1, activeTasks: 1 },
    results: 2,
  })
})

test('a failure to record decisions is no reason to examine again what is stored', async () => {
  const { first } = await claimed(randomUUID())
  const { mission } = first.attempt
  const { tenant_id: _, actor_id: __, ...example } = exampleOf('writeback-proposal.v1')
  const shop = {
    store: database.store,
    waive: async () => {},
    recordDecisions: () => Promise.reject(new WaybillError('conflict', 'the log is being moved')),
  } as unknown as WorkerContext
  const proposed = { ...example, mission_id: mission, proposal_id: `wb_${mission}` }
  const ending = {
    is: 'done',
    artifacts: [proposed],
    plans: [],
    revision: 0,
    usage: NOTHING,
  } as const
  const leaving = leave(first, ending, { shop, ends: openEnds(), isLast: false })
  await expect(leaving).rejects.toThrow('the log is being moved')
  expect((await found(first)).first).toMatchObject({ state: 'done' })
})
