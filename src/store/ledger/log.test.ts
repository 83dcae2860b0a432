import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { appendAll, idsOf, receiptOf } from '../../../test/log-suite.ts'
import { envelopeOf } from '../../../test/mission-payloads.ts'
import { connectRaw, type Raw } from '../../../test/raw-sql.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { draftOf, keysOf, sha256, testLog, tombstoneOf } from '../../../test/test-log.ts'
import { verifyReceipt } from '../../ledger/index.ts'
import { insertArtifact, listArtifacts } from '../artifacts.ts'
import { urlInRole } from '../connection.ts'
import { APPLICATION } from '../roles.ts'
import { openPostgresLog, type PostgresLog } from './log.ts'

let home: TestFolder
let database: Database
let owner: Raw
let logs: PostgresLog[] = []
beforeEach(async () => {
  home = openTestFolder()
  database = await openDatabase()
  owner = await connectRaw(database.url)
})
afterEach(async () => {
  for (const log of logs) await log.close()
  logs = []
  await owner?.end()
  await database?.remove()
  home.remove()
})

async function open(more: Parameters<typeof testLog>[1] = {}): Promise<PostgresLog> {
  const log = await openPostgresLog(database.url, testLog(home.root, more).options)
  logs.push(log)
  return log
}

test('the application can put signatures under a checkpoint, and no other text in its place', async () => {
  const log = await open()
  await appendAll(log, ['a'])
  await log.covered()
  const { note = '' } = (await log.checkpoint()) ?? {}
  const application = await connectRaw(urlInRole(database.url, APPLICATION))
  const cosign = (cosigned: string) =>
    application.refusal(undefined, 'select waybill.ledger_cosign($1, $2)', [note, cosigned])
  expect(await cosign(note.replace('\n1\n', '\n0\n'))).toMatchObject({
    code: '42501',
    message: expect.stringContaining('leave the text as it is'),
  })
  expect(await cosign(`${note}— other AAAA\n`)).toBeUndefined()
  await application.end()
})

test('an entry that is appended in a transaction is there if that is committed, and its receipt is good', async () => {
  const log = await open()
  const { byGateway } = testLog(home.root)
  const mission = randomUUID()
  const answers = await database.store.tenant('acme', async tx => {
    await insertArtifact(tx, envelopeOf(mission, 'acme'))
    const [first, again, second] = await log.appendIn(tx, [
      draftOf('a'),
      draftOf('a', 'odd'),
      () => draftOf('b'),
    ])
    return [first, again, second]
  })
  const digest = keysOf(draftOf('a').content).digest
  expect(answers).toMatchObject([
    { index: 0, digest },
    { taken: 'id:a', index: 0, digest },
    { index: 1 },
  ])
  expect(await verifyReceipt(sha256, answers[0], byGateway)).toBe(true)
  expect(await log.content(1)).toBe(draftOf('b').content)
  await expect.poll(() => log.size()).toBe(2)
})

test('an entry of a transaction that is rolled back was never there, nor what came with it', async () => {
  const log = await open()
  const mission = randomUUID()
  const failing = database.store.tenant('acme', async tx => {
    await insertArtifact(tx, envelopeOf(mission, 'acme'))
    receiptOf((await log.appendIn(tx, [draftOf('a')]))[0] ?? { taken: '', index: 0, digest: '' })
    throw new Error('decided otherwise')
  })
  await expect(failing).rejects.toThrow('decided otherwise')
  expect(await log.find('id:a')).toEqual([])
  expect((await appendAll(log, ['b']))[0]?.index).toBe(0)
  expect(
    await database.store.tenant('acme', tx => listArtifacts(tx, 'mission_envelope', mission)),
  ).toEqual([])
  expect((await log.covered()).checkpoint.size).toBe(1)
})

test('a transaction learns what others have taken, and what has come since it was decided', async () => {
  const log = await open()
  await appendAll(log, ['a', 'b'])
  const answers = await database.store.tenant('acme', tx =>
    log.appendIn(tx, [
      draftOf('a'),
      { ...draftOf('c'), seen: [{ key: 'kind:even', last: 0 }] },
      { ...draftOf('d'), seen: [{ key: 'kind:even', last: 1 }] },
    ]),
  )
  expect(answers).toMatchObject([
    { taken: 'id:a', index: 0 },
    { taken: 'kind:even', index: 1 },
    { index: 2 },
  ])
})

test('of two machines the one whose clock is behind continues from the time of the other', async () => {
  const [ahead, behind] = [await open({ now: () => 9_000_000 }), await open({ now: () => 1000 })]
  await appendAll(ahead, ['a'])
  let time = 0
  await behind.append(given => {
    time = given
    return draftOf('b')
  })
  expect([time, behind.time(1000)]).toEqual([9_000_000, 9_000_000])
  expect(await ahead.lastClock()).toMatchObject({ time: 9_000_000, wall: 1000 })
  const { rows } = await owner.client.query(
    'select gateway_time from waybill.ledger_entries order by index',
  )
  expect(rows.map(row => Number(row.gateway_time))).toEqual([9_000_000, 9_000_000])
})

test.each([
  ['an insert', "insert into waybill.ledger_keys values (sha256('x'), 7, false)"],
  ['an update', "update waybill.ledger_entries set content = 'x'"],
  ['a deletion', 'delete from waybill.ledger_entries'],
  ['a state of its own', 'update waybill.ledger_state set size = 9'],
  ['a checkpoint of its own', "update waybill.ledger_checkpoint set note = 'x'"],
  ['an erasure', "select waybill.ledger_erase(0, 'x')"],
])('the application may read the log and append to it, but %s is refused', async (_, sql) => {
  const log = await open()
  await appendAll(log, ['a'])
  await log.covered()
  await owner.client.query('set role waybill_app')
  const { rows } = await owner.client.query('select content from waybill.ledger_entries')
  expect(rows).toEqual([{ content: draftOf('a').content }])
  expect(await owner.refusal(undefined, sql)).toMatchObject({ code: '42501' })
})

test.each([
  ['another content', "update waybill.ledger_entries set content = 'x'"],
  [
    'another leaf under the name of an erasure',
    "update waybill.ledger_entries set leaf = 'x', erased_at = now()",
  ],
  ['a deletion', 'delete from waybill.ledger_entries'],
  ['truncation', 'truncate waybill.ledger_entries'],
  ['another key', 'update waybill.ledger_keys set index = 5'],
  ['fewer keys', 'delete from waybill.ledger_keys'],
  ['a smaller log', "update waybill.ledger_state set size = 0, frontier = ''"],
  ['an earlier time', 'update waybill.ledger_state set gateway_time = 0'],
  ['another name', "update waybill.ledger_state set origin = 'other'"],
  ['a smaller checkpoint', 'update waybill.ledger_checkpoint set size = 0'],
  ['another checkpoint of that size', "update waybill.ledger_checkpoint set note = 'x'"],
  ['no checkpoint', 'delete from waybill.ledger_checkpoint'],
])('%s is refused to the owner too', async (_, sql) => {
  const log = await open()
  await appendAll(log, ['a'])
  await log.covered()
  expect(await owner.refusal(undefined, sql)).toMatchObject({ code: '42501' })
})

test.each([
  ['a leaf', "update waybill.ledger_entries set leaf = 'x' where index = 280"],
  [
    'a frontier',
    'update waybill.ledger_state set frontier = set_byte(frontier, 5, 255 - get_byte(frontier, 5))',
  ],
  ['a node', 'update waybill.ledger_nodes set hash = sha256(hash)'],
  ['a checkpoint', "update waybill.ledger_checkpoint set note = replace(note, '300', '299')"],
  ['an entry less', 'delete from waybill.ledger_entries where index = 299'],
])(
  'a database in which %s was changed under its triggers is not written any more',
  async (_, sql) => {
    const log = await open()
    await appendAll(log, idsOf('a', 300))
    await log.covered()
    await log.close()
    await owner.client.query(`set session_replication_role = replica; ${sql}`)
    await expect(open()).rejects.toMatchObject({ code: 'ledger-tampered' })
  },
)

test('an older copy of a database is found out by the guards of a machine that has seen a newer one', async () => {
  const log = await open()
  await appendAll(log, ['a'])
  await log.covered()
  const guard = join(home.root, 'guards/one')
  await appendAll(log, ['b'])
  await log.close()
  const newer = readFileSync(guard, 'utf8')
  await database.remove()
  database = await openDatabase()
  owner = await connectRaw(database.url)
  await expect(open()).rejects.toMatchObject({ code: 'ledger-tampered' })
  writeFileSync(guard, newer)
  await expect(open()).rejects.toMatchObject({ code: 'ledger-tampered' })
})

test('a database has one log: one of another name is refused', async () => {
  const log = await open()
  await appendAll(log, ['a'])
  await log.covered()
  await expect(open({ origin: 'example.org/other', guards: [] })).rejects.toMatchObject({
    code: 'ledger-tampered',
  })
})

test('the failure of an entry is reported to its caller alone', async () => {
  const log = await open()
  const answers = await Promise.allSettled([
    log.append(draftOf('a')),
    log.append(() => {
      throw new Error('cannot be made')
    }),
    log.append({ ...draftOf('b'), content: 'a\0b' }),
    log.append(draftOf('c')),
  ])
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: { index: 0 } },
    { status: 'rejected', reason: { message: 'cannot be made' } },
    { status: 'rejected' },
    { status: 'fulfilled', value: { index: 1 } },
  ])
})

test('keys of any length and with any character find their entries, however often one has them', async () => {
  const log = await open()
  const odd = ['x'.repeat(10_000), 'a\0b', '😀', '']
  const keys = { unique: odd.slice(0, 2), also: [...odd.slice(1, 3), '😀'] }
  await log.append({ ...draftOf('a'), keys })
  for (const key of odd.slice(0, 3)) expect(await log.find(key)).toEqual([0])
  expect(await log.append({ ...draftOf('b'), keys })).toMatchObject({ taken: odd[0], index: 0 })
})

test('an erased content is distinguished from the others by its time, and may be erased again', async () => {
  const log = await open()
  await appendAll(log, ['a', 'b'])
  await log.erase(0, tombstoneOf('a'))
  await log.erase(0, tombstoneOf('a'))
  const { rows } = await owner.client.query(
    'select content, erased_at is not null as erased from waybill.ledger_entries order by index',
  )
  expect(rows).toEqual([
    { content: tombstoneOf('a'), erased: true },
    { content: draftOf('b').content, erased: false },
  ])
  await expect(log.erase(-1, 'x')).rejects.toMatchObject({ code: 'not-found' })
})
