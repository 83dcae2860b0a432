import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../test/database.ts'
import {
  CONTRACTS,
  digestOf,
  envelopeOf,
  exampleOf,
  graphOf,
  type Payload,
} from '../../test/mission-payloads.ts'
import { connectRaw, type Raw } from '../../test/raw-sql.ts'
import { WaybillError } from '../error.ts'
import {
  insertArtifact,
  insertNewArtifact,
  listArtifacts,
  readArtifact,
  type Store,
} from './index.ts'

let database: Database
let store: Store
let owner: Raw
beforeAll(async () => {
  database = await openDatabase()
  store = database.store
  owner = await connectRaw(database.url)
})
afterAll(async () => {
  await owner?.end()
  await database?.remove()
})

const insert = (payload: Payload, tenant = 'acme') =>
  store.tenant(tenant, tx => insertArtifact(tx, payload))
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    error => (error instanceof WaybillError ? error.code : String(error)),
  )

/** A mission with two tasks, the second of which waits for the first. */
async function newMission(tenant = 'acme'): Promise<string> {
  const mission = randomUUID()
  await insert(envelopeOf(mission, tenant), tenant)
  await insert(graphOf(mission, { first: [], second: ['first'] }), tenant)
  return mission
}

/** An example of each sort of artifact, in a mission. */
function examplesIn(mission: string): Payload[] {
  return CONTRACTS.filter(({ name }) => !name.startsWith('mission_')).map(({ id }) => {
    const example = exampleOf(id)
    return { ...example, mission_id: mission, ...(example.task_id ? { task_id: 'first' } : {}) }
  })
}

describe('an artifact', () => {
  test('that has to be new is stored once, and refused where its id is taken', async () => {
    const mission = await newMission()
    const [payload = {}] = examplesIn(mission)
    const insertNew = (one: Payload) => store.tenant('acme', tx => insertNewArtifact(tx, one))
    expect(await codeOf(insertNew(payload))).toBe('done')
    expect(await codeOf(insertNew({ ...payload, producer: 'another' }))).toBe('conflict')
    expect(await codeOf(insertNew(payload))).toBe('conflict')
    const name = payload.schema_name as 'worker_result'
    const listed = await store.tenant('acme', tx => listArtifacts(tx, name, mission))
    expect(listed.map(({ digest }) => digest)).toEqual([digestOf(payload)])
  })

  test('of every sort is stored once, read by its id and listed with its mission', async () => {
    const mission = await newMission()
    for (const payload of examplesIn(mission)) {
      const digest = digestOf(payload)
      expect(await insert(payload)).toMatchObject({ digest, isNew: true })
      const name = payload.schema_name as 'worker_result'
      const listed = await store.tenant('acme', tx => listArtifacts(tx, name, mission))
      expect(listed).toEqual([
        {
          name,
          id: expect.any(String),
          digest,
          payload,
          erased: null,
          recordedAt: expect.any(Date),
        },
      ])
      const id = listed[0]?.id ?? ''
      expect(await store.tenant('acme', tx => readArtifact(tx, name, mission, id))).toEqual(
        listed[0],
      )
    }
  })

  test('that comes again changes nothing, also with its keys in another order', async () => {
    const mission = await newMission()
    const [payload = {}] = examplesIn(mission)
    const turned = Object.fromEntries(Object.entries(payload).reverse())
    expect(await insert(payload)).toMatchObject({ isNew: true })
    expect(await insert(payload)).toMatchObject({ isNew: false })
    expect(await insert(turned)).toMatchObject({ isNew: false, digest: digestOf(payload) })
    expect(await insert(envelopeOf(mission, 'acme'))).toMatchObject({ isNew: false })
    expect(await insert(graphOf(mission, { first: [], second: ['first'] }))).toMatchObject({
      isNew: false,
    })
  })

  test('is a conflict where its id is taken by other content', async () => {
    const mission = await newMission()
    const [payload = {}] = examplesIn(mission)
    await insert(payload)
    expect(await codeOf(insert({ ...payload, producer: 'another' }))).toBe('conflict')
    expect(await codeOf(insert(envelopeOf(mission, 'acme', { user_goal: 'another' })))).toBe(
      'conflict',
    )
  })

  test('is stored once by many who store the same at once, and one of many different ones wins', async () => {
    const mission = await newMission()
    const [payload = {}] = examplesIn(mission)
    const same = await Promise.all(Array.from({ length: 20 }, () => insert(payload)))
    expect(same.filter(({ isNew }) => isNew)).toHaveLength(1)
    const others = Array.from({ length: 10 }, (_, i) => ({
      ...payload,
      package_id: 'raced',
      producer: `p${i}`,
    }))
    const codes = await Promise.all(others.map(other => codeOf(insert(other))))
    expect(codes.toSorted()).toEqual([...Array(9).fill('conflict'), 'done'])
  })

  test.each([
    ['of no known sort', { schema_name: 'parcel_label' }, 'usage'],
    ['of a sort that every object has', { schema_name: 'constructor' }, 'usage'],
    ['with a fault of structure', { confidence: 2 }, 'usage'],
    ['with the character zero', { output_text: 'a\u0000b' }, 'usage'],
    ['with half a pair of surrogates', { output_text: '\ud83d' }, 'usage'],
    ['without a mission id', { mission_id: undefined }, 'usage'],
    ['with an id that no index holds', { result_id: randomLetters(9000) }, 'usage'],
    ['of another tenant', { tenant_id: 'other' }, 'usage'],
    ['of a mission that is not there', { mission_id: randomUUID() }, 'not-found'],
    ['of a task that is not there', { task_id: 'third' }, 'not-found'],
  ])('%s is refused', async (_, change, code) => {
    const mission = await newMission()
    const result = {
      ...exampleOf('worker-result.v1'),
      mission_id: mission,
      task_id: 'first',
      ...change,
    }
    const payload = JSON.parse(JSON.stringify(result), (_, value) => value)
    // JSON would write half a pair as it stands; it must come as it is.
    expect(await codeOf(insert({ ...payload, ...definedIn(change) }))).toBe(code)
  })

  test('keeps numbers, letters and times as they were written', async () => {
    const mission = await newMission()
    const payload = {
      ...exampleOf('worker-result.v1'),
      mission_id: mission,
      task_id: 'first',
      created_at: '2026-04-14T23:30:00.1234567+23:59',
      structured_output: {
        tiny: 5e-324,
        large: 1.7976931348623157e308,
        half: 0.1,
        text: 'é\u0301😀\u2028',
        '': [],
      },
    }
    await insert(payload)
    const read = await store.tenant('acme', tx =>
      readArtifact(tx, 'worker_result', mission, 'wrk_001'),
    )
    expect(read?.payload).toEqual(payload)
    expect(digestOf(read?.payload)).toBe(read?.digest)
    const [row] = await owner.rows(
      'acme',
      "select created_at = '2026-04-13T23:31:00.123456Z'::timestamptz as same from waybill.colony_worker_results where mission_id = $1",
      [mission],
    )
    expect(row).toEqual({ same: true })
  })

  test('is listed by the moment at which it was written, whatever the zone of its time', async () => {
    const mission = await newMission()
    const result = { ...exampleOf('worker-result.v1'), mission_id: mission, task_id: 'first' }
    await insert({ ...result, result_id: 'a', created_at: '2026-04-14T12:00:00Z' })
    await insert({ ...result, result_id: 'b', created_at: '2026-04-14T13:00:00+02:00' })
    await insert({ ...result, result_id: 'c', created_at: '2026-04-14T06:00:00-05:30' })
    const listed = await store.tenant('acme', tx => listArtifacts(tx, 'worker_result', mission))
    expect(listed.map(({ id }) => id)).toEqual(['b', 'c', 'a'])
  })
})

/** Such as no compression makes short. */
function randomLetters(count: number): string {
  return randomBytes(count).toString('base64').slice(0, count)
}

const definedIn = (change: Payload) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

describe('a graph', () => {
  test('becomes the tasks of its mission in the statement that stores it', async () => {
    const mission = await newMission()
    expect(await tasksOf(mission)).toEqual([
      { task_id: 'first', role_type: 'prompt_master', position: 0 },
      { task_id: 'second', role_type: 'prompt_master', position: 1 },
    ])
    expect(await waitingOf(mission)).toEqual([{ task_id: 'second', depends_on: 'first' }])
  })

  test.each([
    ['a dependency that the mission does not have', { third: ['nowhere'] }, 'not-found'],
    ['a task that waits for itself', { third: ['third'] }, 'usage'],
    ['a task id of an earlier graph', { first: [] }, 'conflict'],
  ])('with %s is refused, and leaves nothing', async (_, tasks, code) => {
    const mission = await newMission()
    expect(await codeOf(insert(graphOf(mission, tasks as never)))).toBe(code)
    expect(await tasksOf(mission)).toHaveLength(2)
  })

  test('with one id twice is refused', async () => {
    const mission = await newMission()
    const graph = graphOf(mission, { third: [] })
    const [task] = graph.tasks as Payload[]
    expect(await codeOf(insert({ ...graph, tasks: [task, task] }))).toBe('conflict')
  })

  test('may wait for tasks of an earlier graph, and twice for the same', async () => {
    const mission = await newMission()
    await insert(graphOf(mission, { third: ['second', 'second', 'first'], fourth: [] }))
    expect(await tasksOf(mission)).toHaveLength(4)
    expect(await waitingOf(mission)).toHaveLength(3)
  })

  test('of ten thousand tasks is stored in some seconds', async () => {
    const mission = randomUUID()
    await insert(envelopeOf(mission, 'acme'))
    const tasks = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`t${i}`, i === 0 ? [] : [`t${i - 1}`]]),
    )
    const start = performance.now()
    await insert(graphOf(mission, tasks))
    expect(performance.now() - start).toBeLessThan(15_000)
    expect(await tasksOf(mission)).toHaveLength(10_000)
  })
})

const tasksOf = (mission: string) =>
  owner.rows(
    'acme',
    "select task_id, role_type, position from waybill.colony_tasks where tenant_id = 'acme' and mission_id = $1 order by graph_digest, position",
    [mission],
  )
const waitingOf = (mission: string) =>
  owner.rows(
    'acme',
    "select task_id, depends_on from waybill.colony_task_dependencies where tenant_id = 'acme' and mission_id = $1",
    [mission],
  )
