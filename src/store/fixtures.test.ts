import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../test/database.ts'
import { fixturesOf, readFixture } from '../../test/fixture.ts'
import {
  CONTRACTS,
  envelopeOf,
  graphOf,
  insertionOf,
  MISSION,
  type Payload,
} from '../../test/mission-payloads.ts'
import { connectRaw, type Raw, type Refusal } from '../../test/raw-sql.ts'
import { APPLICATION } from './index.ts'

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

type Name = (typeof CONTRACTS)[number]['name']

/** Stores what a payload rests on and then, as the application, the payload itself; tells why that was refused, and undoes all. */
async function refusalOf(name: Name, value: unknown): Promise<Refusal | undefined> {
  const { client } = owner
  const tenant = String((value as Payload | null)?.tenant_id || 'acme')
  await client.query('begin')
  try {
    await client.query("select set_config('waybill.tenant', $1, true)", [tenant])
    if (name !== 'mission_envelope')
      for (const [name, payload] of groundOf(value, tenant)) await insert(name, payload, tenant)
    await client.query(`set local role ${APPLICATION}`)
    await client.query('savepoint grounded')
    return await insert(name, value, tenant).then(() => undefined, asRefusal)
  } finally {
    await client.query('rollback')
  }
}

const asRefusal = ({ code, message, detail }: Refusal) => ({ code, message, detail })

async function insert(name: Name, payload: unknown, tenant: string): Promise<void> {
  const [sql, values] = insertionOf(name, payload, tenant)
  await owner.client.query(sql, [...values])
}

/** The mission of a payload, and a graph with the tasks that it names. */
function groundOf(value: unknown, tenant: string): [Name, Payload][] {
  const { mission_id, task_id, tasks } = (value ?? {}) as Payload
  const mission = /^[0-9a-f-]{36}$/i.test(String(mission_id)) ? String(mission_id) : MISSION
  const own = new Set(listed(tasks).map(task => task.task_id))
  const waited = listed(tasks).flatMap(task => listed(task.depends_on))
  const needed = [...waited, ...(tasks === undefined ? [task_id ?? 'task_worker_01'] : [])]
    .map(String)
    .filter(task => task !== '' && !own.has(task))
  const graph = graphOf(mission, Object.fromEntries(needed.map(task => [task, []])))
  return [
    ['mission_envelope', envelopeOf(mission, tenant)],
    ...(needed.length > 0 ? [['mission_task_graph', graph] as [Name, Payload]] : []),
  ]
}

const listed = (value: unknown) => (Array.isArray(value) ? value : []) as Payload[]

/** What was written down about a fixture that is refused. */
const expectedOf = (file: string) => readFileSync(file.replace(/[.][a-z]+$/, '.out'), 'utf8')

describe.each(CONTRACTS)('the application, with raw SQL, $name', ({ name, id }) => {
  const fixtures = fixturesOf(id)
  const broken = fixtures.filter(
    ({ kind, file }) => kind === 'invalid' && / error schema[/]/.test(expectedOf(file)),
  )

  test('has structural faults to refuse', () => {
    expect(broken.length).toBeGreaterThan(2)
  })

  test.each(broken)('cannot store $name', async fixture => {
    const { value } = await readFixture(fixture)
    // As a value (22), for a missing column (23502) or by a check (23514), and not for lack of a mission or of a right.
    expect((await refusalOf(name, value))?.code).toMatch(/^(?:22...|23502|23514)$/)
  })

  test.each(fixtures.filter(({ kind }) => kind === 'valid'))('can store $name', async fixture => {
    const { value } = await readFixture(fixture)
    expect(await refusalOf(name, value)).toBeUndefined()
  })
})
