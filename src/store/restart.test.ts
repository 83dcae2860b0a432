import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../test/database.ts'
import { openTestServer, type TestServer } from '../../test/embedded.ts'
import { migrateApart } from '../../test/migrating.ts'
import { envelopeOf } from '../../test/mission-payloads.ts'
import { comesTrue } from '../../test/processes.ts'
import { connectRaw } from '../../test/raw-sql.ts'
import { APPLICATION, insertArtifact, listArtifacts, openStore, urlInRole } from './index.ts'
import { migrations } from './migrations.generated.ts'

/** A server of its own: it has no roles of ours yet, and is stopped under those who work. */
let server: TestServer
let url: string
beforeAll(async () => {
  server = openTestServer()
  const binaries = process.env.WAYBILL_TEST_DATABASE === 'system' ? 'system' : 'bundled'
  ;({ url } = await server.start({ binaries }))
})
afterAll(async () => {
  await server?.remove()
})

test('an owner who may make roles, and is no superuser, has a store for many tenants', async () => {
  const superuser = await connectRaw(url)
  await superuser.client.query("create role manager login createrole password 'manager'")
  await superuser.client.query('create database managed owner manager')
  const own = new URL(url)
  own.username = 'manager'
  own.password = 'manager'
  own.pathname = '/managed'
  const store = await openStore({ url: own.href })
  await superuser.client.query('alter role manager nocreaterole')
  await store.migrate()
  expect(await store.isolation()).toMatchObject({ by: 'query' })
  await superuser.client.query('alter role manager createrole')
  await store.migrate()
  expect(await store.isolation()).toEqual({ by: 'roles' })
  const mission = randomUUID()
  for (const tenant of ['acme', 'other'])
    await store.tenant(tenant, tx => insertArtifact(tx, envelopeOf(mission, tenant)))
  const owner = await connectRaw(own.href)
  expect(await owner.rows('acme', 'select tenant_id from waybill.colony_missions')).toEqual([
    { tenant_id: 'acme' },
  ])
  const enqueued = "select waybill.enqueue_task(gen_random_uuid(), 'first', 1) as id"
  const application = await connectRaw(urlInRole(own.href, APPLICATION))
  expect(await application.rows('acme', enqueued)).toHaveLength(1)
  expect(await application.refusal('acme', 'select * from dbos.workflow_status')).toMatchObject({
    code: '42501',
  })
  expect(await store.migrate()).toEqual([])
  for (const one of [application, owner]) await one.end()
  await store.close()
  // The roles go with it, so that what follows finds none.
  await superuser.client.query('drop database managed with (force)')
  await superuser.client.query('drop role waybill_app, waybill_durable, manager')
  await superuser.end()
})

test('processes that migrate several databases of a new server at once make its roles together', async () => {
  const databases = await Promise.all(
    [1, 2].map(() => openDatabase({ server: url, migrated: false })),
  )
  const runs = await Promise.all(
    databases.flatMap(database => Array.from({ length: 4 }, () => migrateApart(database.url))),
  )
  const names = migrations.map(([name]) => name)
  expect(runs.filter(ran => ran.length > 0)).toEqual([names, names])
  for (const { store, remove } of databases) {
    expect(await store.isolation()).toEqual({ by: 'roles' })
    await remove()
  }
})

test('who works while the server is stopped and started again stores everything once', async () => {
  const store = await openStore({ url, patience: 60_000 })
  await store.migrate()
  const missions = Array.from({ length: 400 }, () => randomUUID())
  const queue = [...missions]
  let begun = 0
  let interrupted = 0
  const work = async () => {
    for (let mission = queue.shift(); mission; mission = queue.shift()) {
      const envelope = envelopeOf(mission, 'acme')
      let isAgain = false
      await store
        .tenant('acme', async tx => {
          if (isAgain) interrupted++
          isAgain = true
          begun++
          await insertArtifact(tx, envelope)
          await new Promise(resolve => setTimeout(resolve, 20))
        })
        .catch(async error => {
          // It is unknown whether it was stored: the caller asks again.
          expect(error).toMatchObject({ code: 'store-unavailable' })
          interrupted++
          await store.tenant('acme', tx => insertArtifact(tx, envelope))
        })
    }
  }
  const workers = Promise.all(Array.from({ length: 8 }, work))
  expect(await comesTrue(() => begun > 40)).toBe(true)
  expect(await server.stop()).toBe(true)
  expect(await server.start()).toMatchObject({ url })
  await workers
  expect(interrupted).toBeGreaterThan(0)
  await store.tenant('acme', async tx => {
    for (const mission of missions)
      expect(await listArtifacts(tx, 'mission_envelope', mission)).toHaveLength(1)
  })
  await store.close()
})
