import { randomUUID } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../test/database.ts'
import { envelopeOf } from '../../test/mission-payloads.ts'
import { connectRaw, type Raw } from '../../test/raw-sql.ts'
import { openRelay, type Relay } from '../../test/relay.ts'
import {
  countWorkers,
  describeServer,
  insertArtifact,
  listArtifacts,
  openLease,
  openStore,
  type Store,
  type Tx,
  urlInRole,
} from './index.ts'

let database: Database
let owner: Raw
let relay: Relay
/** The store by way of the relay. */
let store: Store
beforeAll(async () => {
  database = await openDatabase()
  owner = await connectRaw(database.url)
  relay = await openRelay(database.url)
  store = await openStore({ url: relay.url, patience: 8_000 })
})
afterAll(async () => {
  await store?.close()
  await relay?.end()
  await owner?.end()
  await database?.remove()
})

const isStored = async (mission: string) =>
  (await database.store.tenant('acme', tx => listArtifacts(tx, 'mission_envelope', mission)))
    .length === 1
const backendOf = async (tx: Tx) => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  return rows[0]?.pid
}

describe('a transaction', () => {
  test('is rolled back with the failure of its work, which is reported as it is', async () => {
    const mission = randomUUID()
    const failing = store.tenant('acme', async tx => {
      await insertArtifact(tx, envelopeOf(mission, 'acme'))
      throw new RangeError('no more')
    })
    await expect(failing).rejects.toThrow(new RangeError('no more'))
    expect(await isStored(mission)).toBe(false)
  })

  test('is refused where its work passed over a failure of the database', async () => {
    const mission = randomUUID()
    const passing = store.tenant('acme', async tx => {
      await insertArtifact(tx, envelopeOf(mission, 'acme'))
      await sql`select 1 / 0`.execute(tx).catch(() => {})
    })
    await expect(passing).rejects.toMatchObject({ code: 'internal' })
    expect(await isStored(mission)).toBe(false)
  })

  test('that the server ends is done again on another connection, and stores once', async () => {
    const mission = randomUUID()
    const pids: unknown[] = []
    await store.tenant('acme', async tx => {
      const pid = await backendOf(tx)
      pids.push(pid)
      await insertArtifact(tx, envelopeOf(mission, 'acme'))
      if (pids.length === 1) await owner.client.query('select pg_terminate_backend($1)', [pid])
      await sql`select 1`.execute(tx)
    })
    expect(new Set(pids).size).toBe(2)
    expect(await isStored(mission)).toBe(true)
  })

  test('whose connection is cut is done again', async () => {
    const mission = randomUUID()
    let attempts = 0
    await store.tenant('acme', async tx => {
      await insertArtifact(tx, envelopeOf(mission, 'acme'))
      if (++attempts === 1) relay.cut()
      await sql`select 1`.execute(tx)
    })
    expect(attempts).toBe(2)
    expect(await isStored(mission)).toBe(true)
  })

  test('whose connection ends before it commits is done again: nothing was asked for yet', async () => {
    const mission = randomUUID()
    let attempts = 0
    await store.tenant('acme', async tx => {
      await insertArtifact(tx, envelopeOf(mission, 'acme'))
      if (++attempts > 1) return
      relay.cut()
      await new Promise(resolve => setTimeout(resolve, 100))
    })
    expect(attempts).toBe(2)
    expect(await isStored(mission)).toBe(true)
  })

  test('whose connection is cut while it commits is not done again: may or may not be stored', async () => {
    const mission = randomUUID()
    let attempts = 0
    const committing = store.tenant('acme', async tx => {
      attempts++
      await insertArtifact(tx, envelopeOf(mission, 'acme'))
      relay.cutAfter('commit')
    })
    await expect(committing).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('may or may not be stored'),
    })
    expect(attempts).toBe(1)
    // Storing it again tells which.
    const again = await store.tenant('acme', tx => insertArtifact(tx, envelopeOf(mission, 'acme')))
    expect(again.isNew).toBe(false)
  })

  test('waits for a server that comes back, and for no longer than it has patience', async () => {
    await relay.close()
    const mission = randomUUID()
    const waiting = store.tenant('acme', tx => insertArtifact(tx, envelopeOf(mission, 'acme')))
    await new Promise(resolve => setTimeout(resolve, 1_000))
    await relay.open()
    expect(await waiting).toMatchObject({ isNew: true })

    await relay.close()
    const start = performance.now()
    await expect(store.tenant('acme', async () => 1)).rejects.toMatchObject({
      code: 'store-unavailable',
    })
    expect(performance.now() - start).toBeLessThan(60_000)
    await relay.open()
    expect(await store.tenant('acme', async () => 1)).toBe(1)
  })

  test('waits for a server that takes no changes for a while, and says so where it takes none', async () => {
    const still = await openDatabase()
    const name = new URL(still.url).pathname.slice(1)
    const reading = (word: string) =>
      owner.client.query(`alter database "${name}" set default_transaction_read_only = ${word}`)
    const store = await openStore({ url: still.url, patience: 1_000 })
    const put = (where: Store) =>
      where.tenant('acme', tx => insertArtifact(tx, envelopeOf(randomUUID(), 'acme')))
    await reading('on')
    await expect(put(store)).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('is read-only'),
      hint: expect.stringContaining('standby'),
    })
    const patient = await openStore({ url: still.url, patience: 30_000 })
    const waiting = put(patient)
    await new Promise(resolve => setTimeout(resolve, 500))
    await reading('off')
    expect(await waiting).toMatchObject({ isNew: true })
    await Promise.all([store.close(), patient.close()])
    await still.remove()
  }, 60_000)

  test('that stands in the way of another goes second', async () => {
    await owner.client.query(`create table waybill.seats (n integer primary key, taken integer);
      insert into waybill.seats values (1, 0), (2, 0); grant select, update on waybill.seats to waybill_app`)
    let meetings = 0
    let meet = () => {}
    const met = new Promise<void>(resolve => {
      meet = resolve
    })
    const take = (first: number, second: number) =>
      store.tenant('acme', async tx => {
        await sql`update waybill.seats set taken = taken + 1 where n = ${first}`.execute(tx)
        // Each has one before either asks for the other's.
        if (++meetings === 2) meet()
        await met
        await sql`update waybill.seats set taken = taken + 1 where n = ${second}`.execute(tx)
      })
    await Promise.all([take(1, 2), take(2, 1)])
    expect(meetings).toBe(3)
    expect(await owner.rows(undefined, 'select taken from waybill.seats')).toEqual([
      { taken: 2 },
      { taken: 2 },
    ])
  })

  test('of many more than there are connections are all done', async () => {
    const all = Array.from({ length: 60 }, (_, i) =>
      store.tenant(`t${i % 7}`, async tx => {
        const { rows } = await sql<{
          tenant: string
        }>`select current_setting('waybill.tenant') as tenant`.execute(tx)
        return rows[0]?.tenant === `t${i % 7}`
      }),
    )
    expect(await Promise.all(all)).toEqual(Array(60).fill(true))
  })

  test('works as the application, whatever the address says of the role', async () => {
    const odd = await openStore({ url: urlInRole(database.url, 'waybill_durable') })
    const role = await odd.tenant('acme', async tx => {
      const { rows } = await sql<{ role: string }>`select current_user as role`.execute(tx)
      return rows[0]?.role
    })
    await odd.close()
    expect(role).toBe('waybill_app')
  })
})

describe('what cannot be opened', () => {
  const at = (change: (url: URL) => void) => {
    const url = new URL(database.url)
    change(url)
    return url.href
  }

  test('for want of a server says so', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => closed.on('listening', resolve))
    const { port } = closed.address() as { port: number }
    await new Promise(resolve => closed.close(resolve))
    const url = at(url => {
      url.port = String(port)
    })
    await expect(openStore({ url })).rejects.toMatchObject({ code: 'store-unavailable' })
  })

  test('for want of a socket in the file system says so', async () => {
    const url = 'postgres:///waybill?host=/nowhere'
    await expect(openStore({ url })).rejects.toMatchObject({ code: 'store-unavailable' })
  })

  test('for want of an answer says so, as a lease, a doctor and a log do', async () => {
    const silent = await openRelay(database.url)
    silent.hold()
    const { url } = silent
    const lease = openLease(url, { id: randomUUID(), host: 'here', pid: 1 })
    const away = {
      code: 'store-unavailable',
      message: 'the database is unreachable: the server does not answer',
    }
    await Promise.all(
      [openStore({ url }), lease.renew(), describeServer(url), countWorkers(url, 1)].map(asked =>
        expect(asked).rejects.toMatchObject(away),
      ),
    )
    await silent.end()
  }, 60_000)

  test.each([
    ['does not encrypt', 'N', ''],
    ['does so in no way that is known', 'S', ''],
    ['answers with something else', 'H', ''],
    ['is shown what is no key', 'S', '&sslkey=package.json'],
  ])('that is to be encrypted, at a server that %s, says so', async (_, answer, key) => {
    const server = createServer(socket => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(answer)
        socket.on('data', () => socket.end('HTTP/1.1 400 what?'))
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const url = `postgres://ada@127.0.0.1:${port}/waybill?sslmode=verify-full${key}`
    await expect(openStore({ url })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('no encrypted connection'),
      hint: expect.stringContaining('sslmode'),
    })
    server.close()
  })

  test('for want of the database says so', async () => {
    const url = at(url => {
      url.pathname = '/nowhere'
    })
    await expect(openStore({ url })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('nowhere'),
      hint: expect.stringContaining('DATABASE_URL'),
    })
  })

  test('for want of tables says that it must be migrated', async () => {
    const empty = await openDatabase({ migrated: false })
    const stored = empty.store.tenant('acme', tx =>
      insertArtifact(tx, envelopeOf(randomUUID(), 'acme')),
    )
    await expect(stored).rejects.toMatchObject({
      code: 'configuration',
      hint: expect.stringContaining('migrate'),
    })
    await empty.remove()
  })
})
