import { randomUUID } from 'node:crypto'
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
import { artifactTables } from './artifact-tables.generated.ts'
import { APPLICATION, insertArtifact, readArtifact, urlInRole } from './index.ts'

let database: Database
let owner: Raw
let application: Raw
const mission = randomUUID()
const result: Payload = { ...exampleOf('worker-result.v1'), mission_id: mission, task_id: 'first' }
const graph = graphOf(mission, { first: [], second: ['first'] })
beforeAll(async () => {
  database = await openDatabase()
  owner = await connectRaw(database.url)
  application = await connectRaw(urlInRole(database.url, APPLICATION))
  await database.store.tenant('acme', async tx => {
    await insertArtifact(tx, envelopeOf(mission, 'acme'))
    await insertArtifact(tx, graph)
    for (const { name, id } of CONTRACTS.filter(({ name }) => !name.startsWith('mission_'))) {
      const example = exampleOf(id)
      const task = example.task_id ? { task_id: 'first' } : {}
      await insertArtifact(tx, { ...example, schema_name: name, mission_id: mission, ...task })
    }
  })
  for (const one of RUN_OF_FIRST) await owner.rows('acme', one, [mission])
})
afterAll(async () => {
  await application?.end()
  await owner?.end()
  await database?.remove()
})

/** A run of the task, what it has produced, and a call of a tool. */
const RUN_OF_FIRST = [
  `insert into waybill.mission_runs (tenant_id, mission_id, state) values ('acme', $1, 'running')`,
  `insert into waybill.task_runs (tenant_id, mission_id, task_id, position, agent, state, open_dependencies)
    values ('acme', $1, 'first', 0, 'a', 'queued', 0)`,
  `insert into waybill.task_outputs (tenant_id, mission_id, task_id, position, schema_name, artifact_id, digest)
    values ('acme', $1, 'first', 0, 'worker_result', 'one', '0')`,
  `insert into waybill.tool_calls (tenant_id, mission_id, task_id, ref, attempt, tool, decision, policies, result_bytes,
    is_cut, is_error, started_at, ms) values ('acme', $1, 'first', 'r', 1, 't', 'allow', '{}', 0, false, false, now(), 1)`,
]
const TABLES = [
  ...Object.values(artifactTables).map(({ table }) => table),
  'colony_tasks',
  'colony_task_dependencies',
  'task_outputs',
  'tool_calls',
]
const CHANGES = [
  ['update', (table: string) => `update waybill.${table} set tenant_id = tenant_id`],
  ['delete', (table: string) => `delete from waybill.${table}`],
  ['truncate', (table: string) => `truncate waybill.${table} cascade`],
] as const
const cases = TABLES.flatMap(table =>
  CHANGES.map(([what, sql]) => [what, table, sql(table)] as const),
)

describe('artifacts are append-only', () => {
  test.each(cases)(
    '%s of %s is refused to the application and to the owner',
    async (_, table, sql) => {
      const [{ count } = {}] = await owner.rows(
        'acme',
        `select count(*)::integer from waybill.${table}`,
      )
      expect(count).toBeGreaterThan(0)
      expect(await application.refusal('acme', sql)).toMatchObject({
        code: '42501',
        message: expect.stringContaining('permission denied'),
      })
      expect(await owner.refusal('acme', sql)).toMatchObject({
        code: '42501',
        message: expect.stringContaining('append-only'),
      })
    },
  )

  test.each([
    ['the payload alone', 'payload = payload || \'{"producer": "x"}\''],
    ['the digest', "digest = repeat('0', 64)"],
    ['the time at which it was recorded', 'recorded_at = now()'],
    ['an erasure without a tombstone', 'payload = null'],
    [
      'an erasure without an author',
      `payload = null, tombstone = (payload - 'output_text') || '{"erased": {"at": "now", "by": "", "why": "x"}}'`,
    ],
    [
      'an erasure that renames',
      `payload = null, tombstone = payload || '{"result_id": "other", "erased": {"at": "now", "by": "me", "why": "x"}}'`,
    ],
    [
      'a tombstone next to the payload',
      `tombstone = payload || '{"erased": {"at": "now", "by": "me", "why": "x"}}'`,
    ],
  ])('the owner cannot change %s', async (_, change) => {
    const refusal = await owner.refusal(
      'acme',
      `update waybill.colony_worker_results set ${change}`,
    )
    expect(refusal?.code).toMatch(/^(?:42501|23514|23502)$/)
  })

  test('the application can set neither the time of recording nor a tombstone', async () => {
    const insert = (columns: string, values: string) =>
      application.refusal(
        'acme',
        `insert into waybill.colony_worker_results (${columns}) values (${values})`,
      )
    expect(await insert('digest, payload, recorded_at', "'0', '{}', now()")).toMatchObject({
      code: '42501',
    })
    expect(await insert('digest, tombstone', "'0', '{}'")).toMatchObject({ code: '42501' })
  })

  test('tasks come from graphs alone', async () => {
    const sql = `insert into waybill.colony_tasks (tenant_id, mission_id, graph_digest, position, payload)
      values ('acme', $1, $2, 9, '{"task_id": "third", "role_type": "worker"}')`
    expect(await application.refusal('acme', sql, [mission, digestOf(graph)])).toMatchObject({
      code: '42501',
    })
    const wait = `insert into waybill.colony_task_dependencies values ('acme', $1, 'first', 'second')`
    expect(await application.refusal('acme', wait, [mission])).toMatchObject({ code: '42501' })
  })
})

test.each(['proposal_decisions', 'writeback_outbox'])(
  'rows of %s cannot be deleted, not even by their owner',
  async table => {
    for (const removal of [`delete from waybill.${table}`, `truncate waybill.${table} cascade`]) {
      const refused = { code: '42501', message: expect.stringContaining('append-only') }
      expect(await owner.refusal('acme', removal)).toMatchObject(refused)
      expect(await application.refusal('acme', removal)).toMatchObject({ code: '42501' })
    }
  },
)

describe('erasure', () => {
  const erasure = {
    tenant: 'acme',
    artifact: 'worker_result',
    mission,
    digest: digestOf(result),
    by: 'Ada',
    why: 'asked for by the person it is about',
  } as const

  test('is refused to the application', async () => {
    const sql = "select waybill.erase('acme', 'waybill.colony_worker_results', $1, $2, 'me', 'x')"
    expect(await application.refusal('acme', sql, [mission, erasure.digest])).toMatchObject({
      code: '42501',
      message: expect.stringContaining('permission denied for function erase'),
    })
  })

  test('of another tenant, mission or digest finds nothing', async () => {
    const { store } = database
    expect(await store.erase({ ...erasure, tenant: 'other' })).toBe(false)
    expect(await store.erase({ ...erasure, mission: randomUUID() })).toBe(false)
    expect(await store.erase({ ...erasure, digest: '0'.repeat(64) })).toBe(false)
  })

  test('takes the payload and keeps digest, ids, and by whom, when and why', async () => {
    const { store } = database
    const before = await row()
    expect(before.text).toContain('highest close probability')
    expect(await store.erase(erasure)).toBe(true)
    const after = await row()
    expect(after.text).not.toContain('highest close probability')
    expect({ ...after, payload: 0, tombstone: 0, text: 0 }).toEqual({
      ...before,
      payload: 0,
      tombstone: 0,
      text: 0,
    })
    expect(after.tombstone).toEqual({
      mission_id: mission,
      task_id: 'first',
      result_id: 'wrk_001',
      created_at: result.created_at ?? '',
      erased: { at: expect.stringMatching(/^20.*Z$/), by: 'Ada', why: erasure.why },
    })
    expect(
      await store.tenant('acme', tx => readArtifact(tx, 'worker_result', mission, 'wrk_001')),
    ).toMatchObject({
      digest: erasure.digest,
      payload: null,
      erased: { by: 'Ada', why: erasure.why },
    })
  })

  test('happens once, and what was erased cannot come back', async () => {
    const { store } = database
    expect(await store.erase(erasure)).toBe(false)
    const back = 'update waybill.colony_worker_results set payload = $1, tombstone = null'
    expect(await owner.refusal('acme', back, [JSON.stringify(result)])).toMatchObject({
      code: '42501',
    })
    expect(await store.tenant('acme', tx => insertArtifact(tx, result))).toMatchObject({
      digest: erasure.digest,
      isNew: false,
    })
    expect((await row()).payload).toBeNull()
  })

  test('of a graph takes the records of its tasks too; what names them stays', async () => {
    expect(
      await database.store.erase({
        ...erasure,
        artifact: 'mission_task_graph',
        digest: digestOf(graph),
      }),
    ).toBe(true)
    const tasks = await owner.rows(
      'acme',
      'select task_id, payload, tombstone from waybill.colony_tasks order by position',
    )
    expect(tasks).toEqual(
      ['first', 'second'].map(task_id => ({
        task_id,
        payload: null,
        tombstone: {
          task_id,
          role_type: 'prompt_master',
          erased: { at: expect.any(String), by: 'Ada', why: erasure.why },
        },
      })),
    )
  })

  test('works for every sort of artifact', async () => {
    for (const { name } of CONTRACTS) {
      const table = artifactTables[name].table
      const left = await owner.rows(
        'acme',
        `select digest from waybill.${table} where payload is not null`,
      )
      for (const { digest } of left)
        expect(
          await database.store.erase({ ...erasure, artifact: name, digest: String(digest) }),
          name,
        ).toBe(true)
      const [{ open } = {}] = await owner.rows(
        'acme',
        `select count(*)::integer as open from waybill.${table} where payload is not null`,
      )
      expect(open).toBe(0)
    }
  })

  test('in a transaction of another tenant leaves that one what it was', async () => {
    const other = { ...result, result_id: 'wrk_other', tenant_id: 'acme' }
    await database.store.tenant('acme', tx => insertArtifact(tx, other))
    const sql = `select waybill.erase('acme', 'waybill.colony_worker_results', $1, $2, 'Ada', 'x') as erased,
      current_setting('waybill.tenant') as tenant`
    const rows = await owner.rows('other', sql, [mission, digestOf(other)])
    expect(rows).toEqual([{ erased: true, tenant: 'other' }])
  })

  async function row(): Promise<Record<string, unknown>> {
    const [found = {}] = await owner.rows(
      'acme',
      'select *, artifact::text as text from waybill.colony_worker_results as artifact where mission_id = $1',
      [mission],
    )
    return found
  }
})
