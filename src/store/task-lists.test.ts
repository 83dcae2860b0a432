import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../test/database.ts'
import { envelopeOf, graphOf } from '../../test/mission-payloads.ts'
import { connectRaw, type Raw } from '../../test/raw-sql.ts'
import {
  insertArtifact,
  insertRun,
  insertTasks,
  listProgress,
  readTask,
  readTaskGraph,
  type Tx,
} from './index.ts'

const TENANT = 'acme'

let database: Database
let owner: Raw
beforeAll(async () => {
  database = await openDatabase()
  owner = await connectRaw(database.url)
}, 120_000)
afterAll(async () => {
  await owner?.end()
  await database?.remove()
}, 60_000)

type Tasks = Readonly<Record<string, readonly string[]>>

const inTenant = <T>(work: (tx: Tx) => Promise<T>) => database.store.tenant(TENANT, work)

/** Begins to run a mission whose tasks stand in one graph or in several, each by one of three agents. */
async function begin(...graphs: readonly Tasks[]): Promise<string> {
  const mission = randomUUID()
  await inTenant(async tx => {
    await insertArtifact(tx, envelopeOf(mission, TENANT))
    await insertRun(tx, { mission, template: null, timeBudget: null, tokenBudget: null })
  })
  for (const tasks of graphs) await inTenant(tx => add(tx, mission, tasks))
  return mission
}

async function add(tx: Tx, mission: string, tasks: Tasks): Promise<void> {
  await insertArtifact(tx, graphOf(mission, tasks))
  const retries = { limit: 0, first: 1, longest: 1 }
  const plans = Object.keys(tasks).map((task, i) => ({
    ...{ task, retries },
    ...{ agent: `agent-${i % 3}`, prompt: null },
  }))
  await insertTasks(tx, mission, plans)
}

/** Puts tasks in states that take a while to come to. */
const become = (mission: string, tasks: readonly string[], change: string) =>
  owner.client.query(
    `update waybill.task_runs set ${change} where mission_id = $1 and task_id = any($2)`,
    [mission, tasks],
  )

const ODD = ['a "quoted" one', 'two\nlines', '__proto__', 'constructor', 'ä\u{1f9ed}', "it's", ' ']

describe('the progress of all tasks', () => {
  test('is that of each', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.oneof(fc.constantFrom(...ODD), fc.string({ minLength: 1 })), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.infiniteStream(fc.nat(4)),
        async (names, choices) => {
          const next = () => Number(choices.next().value)
          const tasks = Object.fromEntries(
            names.map((name, i) => [name, names.slice(0, i).filter(() => next() > 2)]),
          )
          const mission = await begin(tasks)
          const CHANGES = [
            "state = 'queued', attempt = 1",
            `state = 'done', attempt = 2, failures = 1, handoff_id = '${randomUUID()}', tokens_used = 70,
             started_at = '2026-03-05 16:30:00.123456+01', ended_at = '2026-03-05 15:31:00Z'`,
            `state = 'failed', reason = '{"code": "x", "message": "1"}', started_at = '2026-03-05Z'`,
            "state = 'waiting', waiting_for = 'somebody'",
          ]
          for (const name of names) {
            const change = CHANGES[next()]
            if (change !== undefined) await become(mission, [name], change)
          }
          await inTenant(async tx => {
            const all = await listProgress(tx, mission)
            expect(all.map(({ task }) => task)).toEqual(Object.keys(tasks))
            for (const { dependsOn, ...rest } of all) {
              expect(new Set(dependsOn)).toEqual(new Set(tasks[rest.task]))
              expect(await readTask(tx, mission, rest.task)).toMatchObject(rest)
            }
          })
        },
      ),
      { numRuns: 25 },
    )
  })

  test('follows the order of the graphs', async () => {
    const mission = await begin({ z: [], a: ['z'] }, { m: ['a'], b: [] })
    const all = await inTenant(tx => listProgress(tx, mission))
    expect(all.map(({ task }) => task)).toEqual(['z', 'a', 'm', 'b'])
    expect(all.map(({ role }) => role)).toEqual(Array(4).fill('prompt_master'))
  })

  test('is nothing of a mission that has none, or that nobody has', async () => {
    const mission = await begin()
    expect(await inTenant(tx => listProgress(tx, mission))).toEqual([])
    expect(await inTenant(tx => readTaskGraph(tx, mission))).toEqual({
      ...{ state: 'running', tasks: [], edges: [] },
    })
    expect(await inTenant(tx => readTaskGraph(tx, randomUUID()))).toBeUndefined()
    const other = await begin({ a: [] })
    expect(await database.store.tenant('other', tx => readTaskGraph(tx, other))).toBeUndefined()
  })
})

test('tasks of a later graph wait for those that are not done yet', async () => {
  const mission = await begin({ done: [], open: [] })
  await become(mission, ['done'], "state = 'done'")
  await inTenant(tx =>
    add(tx, mission, { free: [], freed: ['done'], waits: ['done', 'open', 'free'] }),
  )
  const rows = await owner.rows(
    TENANT,
    'select task_id, position, state, open_dependencies as open from waybill.task_runs where mission_id = $1 order by position',
    [mission],
  )
  expect(rows.slice(2)).toEqual([
    { task_id: 'free', position: 2, state: 'blocked', open: 0 },
    { task_id: 'freed', position: 3, state: 'blocked', open: 0 },
    { task_id: 'waits', position: 4, state: 'blocked', open: 2 },
  ])
})
