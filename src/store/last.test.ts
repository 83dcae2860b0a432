import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../test/database.ts'
import { envelopeOf } from '../../test/mission-payloads.ts'
import { insertArtifact, readArtifact } from './artifacts.ts'
import { Last } from './store.ts'
import { ask, type Tx } from './tx.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database?.remove())

const isThere = (mission: string) =>
  database.store.tenant(
    'acme',
    async tx => (await readArtifact(tx, 'mission_envelope', mission, mission)) !== undefined,
  )

test('what is asked last is committed behind, and answered', async () => {
  const mission = randomUUID()
  const answer = await database.store.tenant(
    'acme',
    async tx => new Last(insertArtifact(tx, envelopeOf(mission, 'acme'))),
  )
  expect(answer).toMatchObject({ id: mission, isNew: true })
  expect(await isThere(mission)).toBe(true)
})

test('where the last fails, nothing is stored, and its failure is reported', async () => {
  const mission = randomUUID()
  const doing = database.store.tenant('acme', async tx => {
    await insertArtifact(tx, envelopeOf(mission, 'acme'))
    return new Last(ask(tx)`select 1 / ${0}::integer`)
  })
  await expect(doing).rejects.toMatchObject({ code: 'usage' })
  expect(await isThere(mission)).toBe(false)
  expect(await database.store.tenant('acme', async () => 'the connection is sound')).toBeTruthy()
})

test('what was asked last fails unheard where other work has failed before', async () => {
  const doing = database.store.tenant('acme', async tx => {
    const last = new Last(ask(tx)`select 1 / ${0}::integer`)
    await expect(ask(tx)`select 1`).rejects.toMatchObject({ code: '25P02' })
    throw new TypeError(`before ${last.asked}`)
  })
  await expect(doing).rejects.toThrow('before')
})

test('where the disk was full for the last, nothing was stored, and all is done again', async () => {
  const mission = randomUUID()
  let times = 0
  await database.store.tenant('acme', async tx => {
    times++
    await insertArtifact(tx, envelopeOf(mission, 'acme'))
    const isFull = times === 1
    return new Last(
      isFull
        ? ask(tx)`do $$ begin raise exception using errcode = 'disk_full'; end $$`
        : ask(tx)`select 1`,
    )
  })
  expect(times).toBe(2)
  expect(await isThere(mission)).toBe(true)
})

test('where the failure of what was asked before is not known, all is done again', async () => {
  let times = 0
  const answer = await database.store.tenant('acme', async tx => {
    times++
    ask(tx)`select 1 / ${times - 1}::integer`.catch(() => {})
    return ask(tx)`select 1 as one`
  })
  expect(times).toBe(2)
  expect(answer).toEqual([{ one: 1 }])
})

test('where the last stands in the way of another, all is done again', async () => {
  const [mission, one, other] = [randomUUID(), randomUUID(), randomUUID()]
  let times = 0
  const lock = (tx: Tx, name: string) => ask(tx)`select pg_advisory_xact_lock(hashtext(${name}))`
  let hold = () => {}
  const bothHold = new Promise<void>(resolve => {
    hold = resolve
  })
  let holdOne = () => {}
  const oneIsHeld = new Promise<void>(resolve => {
    holdOne = resolve
  })
  const first = database.store.tenant('acme', async tx => {
    times++
    await lock(tx, one)
    holdOne()
    await bothHold
    await insertArtifact(tx, envelopeOf(mission, 'acme'))
    return new Last(lock(tx, other))
  })
  const second = database.store.tenant('acme', async tx => {
    times++
    await lock(tx, other)
    hold()
    await oneIsHeld
    return new Last(lock(tx, one))
  })
  await Promise.all([first, second])
  expect(times).toBe(3)
  expect(await isThere(mission)).toBe(true)
})
