import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { envelopeOf, exampleOf, graphOf } from '../../../test/mission-payloads.ts'
import {
  claimTask,
  listArtifacts,
  readSnapshot,
  readStart,
  readTask,
  type Tx,
} from '../../store/index.ts'
import { answerTask, cancelMission } from './control.ts'
import { type Ending, endAttempt, type Leaving, NOTHING, Overtaken } from './endings.ts'
import { submitMission } from './submit.ts'
import { stillCounts, takeOver } from './take-over.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database?.remove())

const plan = { agent: 'a', prompt: null, retries: { limit: 0, first: 1, longest: 1 } }

/** A mission of two tasks, the first of which a worker is at. */
async function begun() {
  const { store } = database
  const [mission, worker] = [randomUUID(), randomUUID()]
  await submitMission(store, {
    envelope: envelopeOf(mission, 'acme'),
    graph: graphOf(mission, { first: [], second: ['first'] }),
    decisions: [],
    plans: ['first', 'second'].map(task => ({ ...plan, task })),
    template: null,
  })
  const attempt = { tenant: 'acme', mission, task: 'first', attempt: 1 }
  const task = await store.tenant('acme', async tx => {
    await claimTask(tx, { ...attempt, worker })
    return readTask(tx, mission, 'first')
  })
  if (!task) throw new Error('there is no such task')
  const { actor_id: _, tenant_id: __, ...example } = exampleOf('worker-result.v1')
  const result = (id: string) => ({
    ...example,
    mission_id: mission,
    task_id: 'first',
    result_id: id,
  })
  const end = (...ids: readonly string[]) =>
    store.tenant('acme', tx =>
      endAttempt(
        tx,
        { attempt, task, worker, handoff: null },
        { is: 'done', artifacts: ids.map(result), plans: [], revision: 0, usage: NOTHING },
      ),
    )
  const stateOf = async (tx: Tx, name: string) => {
    const found = await readTask(tx, mission, name)
    return [found?.state, found?.attempt]
  }
  const found = () =>
    store.tenant('acme', async tx => ({
      results: (await listArtifacts(tx, 'worker_result', mission)).map(({ id }) => id),
      tasks: [await stateOf(tx, 'first'), await stateOf(tx, 'second')],
    }))
  return { attempt, end, found, leaving: { attempt, task, worker, handoff: null } }
}

test('what an attempt ends with is stored, and what waited for it is queued', async () => {
  const { end, found } = await begun()
  await end('one', 'two')
  expect(await found()).toEqual({
    results: ['one', 'two'],
    tasks: [
      ['done', 1],
      ['queued', 1],
    ],
  })
})

test('of an attempt that was overtaken nothing is stored, and nothing goes on', async () => {
  const { attempt, end, found } = await begun()
  await takeOver(database.store, attempt)
  await expect(end('late')).rejects.toBeInstanceOf(Overtaken)
  expect(await found()).toEqual({
    results: [],
    tasks: [
      ['queued', 2],
      ['blocked', 0],
    ],
  })
})

test('an attempt counts before it is claimed, while it runs and while it waits, and no longer', async () => {
  const { store } = database
  const { attempt, leaving } = await begun()
  expect(await stillCounts(store, attempt)).toBe(true)
  await takeOver(store, attempt)
  expect(await stillCounts(store, attempt)).toBe(false)
  const second = { ...attempt, attempt: 2 }
  expect(await stillCounts(store, second)).toBe(true)
  await store.tenant('acme', tx => claimTask(tx, { ...second, worker: leaving.worker }))
  const waits = { ...WAITING, for: 'agent', again: 60_000, usage: NOTHING } as const
  await store.tenant('acme', tx => endAttempt(tx, { ...leaving, attempt: second }, waits))
  expect(await stillCounts(store, { ...attempt, attempt: 3 })).toBe(true)
  await cancelMission(store, attempt, 'no use')
  expect(await stillCounts(store, { ...attempt, attempt: 3 })).toBe(false)
})

test('a wait counts, though the attempt is given back or its worker is lost, until the next wait', async () => {
  const { store } = database
  const { attempt, leaving } = await begun()
  const claim = async (number: number) => {
    const one = { ...leaving, attempt: { ...attempt, attempt: number } }
    await store.tenant('acme', tx => claimTask(tx, { ...one.attempt, worker: one.worker }))
    return one
  }
  const waited = async () =>
    (await store.tenant('acme', tx => readStart(tx, attempt.mission, 'first')))?.waited
  const waits = { ...WAITING, for: 'agent', again: 60_000, usage: NOTHING } as const
  const end = (one: Leaving, ending: Ending) =>
    store.tenant('acme', tx => endAttempt(tx, one, ending))
  await end(leaving, waits)
  await new Promise(resolve => setTimeout(resolve, 400))
  await end(await claim(2), { is: 'released', after: 0, usage: NOTHING })
  await takeOver(store, (await claim(3)).attempt)
  expect(await waited()).toBeGreaterThanOrEqual(400)
  await end(await claim(4), waits)
  expect(await waited()).toBeLessThan(400)
})

test('an attempt ends once', async () => {
  const { end, found } = await begun()
  const ends = await Promise.allSettled([end('one'), end('other'), end('third')])
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await found()).results).toHaveLength(1)
  await expect(end('fourth')).rejects.toBeInstanceOf(Overtaken)
})

const WAITING = { is: 'waiting', for: 'person', token: null, again: null, reason: null } as const
const FAILED = { is: 'failed', reason: { code: 'mission/x', message: 'it ended' } } as const

/** The same, whose first task a person has answered, and a worker is at again. */
async function answered() {
  const { store } = database
  const { leaving } = await begun()
  const { attempt: first, worker } = leaving
  await store.tenant('acme', tx => endAttempt(tx, leaving, { ...WAITING, usage: NOTHING }))
  const record = async () => ({ by: 'ada', standing: 'claimed', entry: '0'.repeat(64) }) as const
  const answer = { output_text: 'what a person wrote' }
  await answerTask(store, first, { task: 'first', attempt: first.attempt, answer, record })
  const attempt = { ...first, attempt: 2 }
  const claimed = await store.tenant('acme', tx => claimTask(tx, { ...attempt, worker }))
  expect(claimed).toBe(true)
  return { ...leaving, attempt }
}

const failedBy = (limit: number) => async (leaving: Leaving) => {
  const task = { ...leaving.task, retries: { ...leaving.task.retries, limit } }
  const ending = { ...FAILED, mayRetry: true, usage: NOTHING }
  await database.store.tenant('acme', tx => endAttempt(tx, { ...leaving, task }, ending))
}

test.each<[string, (leaving: Leaving) => Promise<unknown>, string]>([
  ['fails for good', failedBy(0), 'failed'],
  ['fails and is tried again', failedBy(1), 'queued'],
  ['was lost too often', loseOften, 'failed'],
  ['is cancelled', ({ attempt }) => cancelMission(database.store, attempt, 'no use'), 'cancelled'],
])('of a task that %s nothing is left of what a person has answered', async (_, ends, state) => {
  const leaving = await answered()
  const { mission } = leaving.attempt
  const rows = () =>
    database.store.tenant('acme', async tx => {
      const [task] = (await readSnapshot(tx, mission))?.tasks ?? []
      return { state: task?.state, answer: task?.answer }
    })
  expect(await rows()).toMatchObject({ answer: { output_text: 'what a person wrote' } })
  await ends(leaving)
  expect(await rows()).toEqual({ state, answer: null })
})

/** Eleven workers die over it. */
async function loseOften({ attempt, worker }: Leaving): Promise<void> {
  for (let number = attempt.attempt; number <= attempt.attempt + 10; number++) {
    const one = { ...attempt, attempt: number }
    await database.store.tenant('acme', tx => claimTask(tx, { ...one, worker }))
    await takeOver(database.store, one)
  }
}
