import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../test/database.ts'
import { envelopeOf, graphOf, type Payload } from '../../test/mission-payloads.ts'
import { connectRaw, type Raw } from '../../test/raw-sql.ts'
import {
  insertArtifact,
  insertOutputs,
  insertRun,
  insertTasks,
  listOutputs,
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
})
afterAll(async () => {
  await owner?.end()
  await database?.remove()
})

type Tasks = Readonly<Record<string, readonly string[]>>

const inTenant = <T>(work: (tx: Tx) => Promise<T>) => database.store.tenant(TENANT, work)

/** Most of them have the most common role, which is not read. */
const ROLES = ['worker', 'prompt_master', 'worker', 'reviewer']

/** Begins to run a mission whose tasks stand in one graph or in several, by three agents and in three roles. */
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
  const graph = graphOf(mission, tasks)
  const inRoles = (graph.tasks as Payload[]).map((one, i) => ({ ...one, role_type: ROLES[i % 4] }))
  await insertArtifact(tx, { ...graph, tasks: inRoles })
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
            for (const { dependsOn, startedAt, endedAt, ...rest } of all) {
              expect(new Set(dependsOn)).toEqual(new Set(tasks[rest.task]))
              const alone = await readTask(tx, mission, rest.task)
              expect(alone).toMatchObject(rest)
              expect(startedAt).toBe(alone?.startedAt?.getTime() ?? null)
              expect(endedAt).toBe(alone?.endedAt?.getTime() ?? null)
            }
          })
        },
      ),
      { numRuns: 25 },
    )
  })

  test('has its moments to the millisecond', async () => {
    const mission = await begin(
      Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`t${i}`, []])),
    )
    await owner.client.query(
      `update waybill.task_runs set started_at = timestamptz '2026-03-05Z' + position * interval '1001 microseconds',
         ended_at = timestamptz '2026-03-05Z' + position * interval '1 hour 999 microseconds' where mission_id = $1`,
      [mission],
    )
    await inTenant(async tx => {
      const all = await listProgress(tx, mission)
      const alone = await Promise.all(all.map(({ task }) => readTask(tx, mission, task)))
      expect(all.map(({ startedAt, endedAt }) => [startedAt, endedAt])).toEqual(
        alone.map(one => [one?.startedAt?.getTime(), one?.endedAt?.getTime()]),
      )
    })
  })

  test('follows the order of the graphs', async () => {
    const mission = await begin({ z: [], a: ['z'] }, { m: ['a'], b: [] })
    const all = await inTenant(tx => listProgress(tx, mission))
    expect(all.map(({ task }) => task)).toEqual(['z', 'a', 'm', 'b'])
    expect(all.map(({ role }) => role)).toEqual([...ROLES.slice(0, 2), ...ROLES.slice(0, 2)])
  })

  test('is nothing of a mission that has none, or that does not exist', async () => {
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

test('what tasks have produced is listed for each in its order', async () => {
  const mission = await begin({ a: [], constructor: [], c: [] })
  const output = (name: 'worker_result' | 'research_artifact', id: string) => ({
    ...{ name, id },
    digest: id.repeat(64),
  })
  const own = [
    output('worker_result', '1'),
    output('research_artifact', '2'),
    output('worker_result', '3'),
  ]
  const others = [output('worker_result', '4')]
  await inTenant(async tx => {
    await insertOutputs(tx, mission, 'constructor', own)
    await insertOutputs(tx, mission, 'a', others)
    await insertOutputs(tx, mission, 'c', [])
    expect(await listOutputs(tx, mission)).toEqual(
      new Map([
        ['constructor', own],
        ['a', others],
      ]),
    )
  })
  expect(await database.store.tenant('other', tx => listOutputs(tx, mission))).toEqual(new Map())
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
