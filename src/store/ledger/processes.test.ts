import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { openTestServer } from '../../../test/embedded.ts'
import { expectWhole, type Kept, startWriter, type Written } from '../../../test/log-process.ts'
import { comesTrue } from '../../../test/processes.ts'
import { connectRaw, type Raw } from '../../../test/raw-sql.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { testLog } from '../../../test/test-log.ts'
import { openStore } from '../store.ts'
import { openPostgresLog } from './log.ts'
import { openPostgresLogReader } from './reader.ts'

let home: TestFolder
let database: Database
let owner: Raw
beforeEach(async () => {
  home = openTestFolder()
  // The keys are there before several processes look for them.
  testLog(home.root)
  database = await openDatabase()
  owner = await connectRaw(database.url)
})
afterEach(async () => {
  await owner?.end()
  await database?.remove()
  home.remove()
})

function keptAt(url: string): Kept {
  const { options } = testLog(home.root)
  return {
    open: () => openPostgresLog(url, options),
    openReader: () => openPostgresLogReader(url, options),
  }
}

interface Appending {
  readonly count?: number
  readonly together?: number
  readonly how?: string
  readonly shared?: string
  readonly url?: string
}

function start(prefix: string, appending: Appending = {}) {
  const { count = 100_000, together = 8, how = 'close', shared = '' } = appending
  const { url = database.url } = appending
  return startWriter([home.root, prefix, count, together, how, shared, url])
}

interface NoteWatch {
  /** What was published so far. */
  readonly notes: ReadonlySet<string>
  /** Stops after a last look, and gives everything that was published. */
  stop(): Promise<ReadonlySet<string>>
}

/** Looks again and again at what is published. */
function watchNotes(): NoteWatch {
  const notes = new Set<string>()
  let isOver = false
  const look = async () => {
    const { rows } = await owner.client.query('select note from waybill.ledger_checkpoint')
    for (const { note } of rows) notes.add(note)
  }
  const looking = (async () => {
    for (; !isOver; await wait(3)) await look()
  })()
  const stop = async () => {
    isOver = true
    await looking
    await look()
    return notes
  }
  return { notes, stop }
}

/** How many entries there are, published or not. */
async function sizeAt({ client }: Raw): Promise<number> {
  const { rows } = await client.query('select size from waybill.ledger_state')
  return Number(rows[0]?.size)
}

const indicesOf = (promised: Written['promised']) =>
  promised.map(([index]) => index).sort((a, b) => a - b)

test('8 processes at once lose nothing, and of one unique key all but one get an error that it is taken', async () => {
  const { stop } = watchNotes()
  const writers = Array.from({ length: 8 }, (_, i) =>
    start(`p${i}`, { count: 60, together: 4, shared: 'the-same' }),
  )
  const written = await Promise.all(writers.map(({ ended }) => ended))
  expect(written.map(({ status }) => status)).toEqual(written.map(() => 0))
  const promised = written.flatMap(one => one.promised)
  expect(indicesOf(promised)).toEqual(Array.from({ length: 8 * 60 + 1 }, (_, i) => i))
  expect(written.filter(({ said }) => said.includes('taken the-same'))).toHaveLength(7)
  const size = await expectWhole(home.root, promised, await stop(), keptAt(database.url))
  expect(size).toBe(8 * 60 + 2)
})

test('a process that is killed at random moments loses nothing that it promised', async () => {
  const promised: Written['promised'][number][] = []
  const watch = watchNotes()
  for (let round = 0; round < (process.env.WAYBILL_LONG_FAULTS === '1' ? 8 : 4); round++) {
    const { process: child, begun, ended } = start(`r${round}`)
    await begun
    const { size } = watch.notes
    expect(await comesTrue(() => watch.notes.size > size)).toBe(true)
    await wait(Math.random() * 700)
    child.kill('SIGKILL')
    promised.push(...(await ended).promised)
  }
  const notes = await watch.stop()
  expect(notes.size).toBeGreaterThan(2)
  const size = await expectWhole(home.root, promised, notes, keptAt(database.url))
  expect(size).toBeGreaterThan(promised.length)
})

test('what was promised by a process that died is published by the next one that opens the log', async () => {
  const { promised } = await start('victim', { count: 20, together: 20, how: 'die' }).ended
  expect(promised).toHaveLength(20)
  const kept = keptAt(database.url)
  expect(await kept.openReader().size()).toBe(0)
  const log = await kept.open()
  await expect.poll(() => log.size()).toBe(20)
  await log.close()
})

test('when connections are ended again and again, everything is appended once all the same', async () => {
  const { stop } = watchNotes()
  const writers = [start('a', { count: 1500 }), start('b', { count: 1500 })]
  let [isOver, ended] = [false, 0]
  const written = Promise.all(writers.map(one => one.ended)).finally(() => {
    isOver = true
  })
  await Promise.all(writers.map(({ begun }) => begun))
  while (!isOver) {
    const { rowCount } = await owner.client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    ended += rowCount ?? 0
    // A log whose every connection ends at once gives up: each has to come to something in between.
    const size = await sizeAt(owner)
    await comesTrue(async () => isOver || (await sizeAt(owner)) > size)
    await wait(100 + Math.random() * 300)
  }
  const all = await written
  expect(ended).toBeGreaterThan(4)
  expect(all.flatMap(({ said }) => said.filter(line => line.startsWith('error')))).toEqual([])
  expect(all.map(({ status }) => status)).toEqual([0, 0])
  const promised = all.flatMap(one => one.promised)
  expect(indicesOf(promised)).toEqual(Array.from({ length: 3000 }, (_, i) => i))
  const size = await expectWhole(home.root, promised, await stop(), keptAt(database.url))
  expect(size).toBe(3001)
})

test('a writer that is stopped in the middle of a group does not keep others from appending', async () => {
  const log = await keptAt(database.url).open()
  const stopped = await connectRaw(database.url)
  await stopped.client.query("set idle_in_transaction_session_timeout = '300ms'")
  await stopped.client.query('begin; select from waybill.ledger_take()')
  const { promised } = await start('a', { count: 3 }).ended
  expect(indicesOf(promised)).toEqual([0, 1, 2])
  await stopped.end()
  await log.close()
})

test.each(['on', 'off'])(
  'when the server is killed, what was promised is there and the next one goes on: synchronous_commit is %s',
  async setting => {
    const server = openTestServer()
    try {
      const { url, pid } = await server.start()
      const store = await openStore({ url })
      await store.migrate()
      await store.close()
      const raw = await connectRaw(url)
      await raw.client.query(`alter database postgres set synchronous_commit = ${setting}`)
      const writer = start('a', { how: 'go', url })
      expect(await comesTrue(async () => (await sizeAt(raw)) > 32)).toBe(true)
      // It ends together with the server.
      raw.client.on('error', () => {})
      process.kill(pid, 'SIGKILL')
      // It goes on if the server is back in time; if not, it says so and ends.
      await server.start()
      await wait(1500)
      writer.process.kill('SIGKILL')
      const { promised } = await writer.ended
      expect(promised.length).toBeGreaterThan(8)
      const size = await expectWhole(home.root, promised, [], keptAt(url))
      expect(size).toBeGreaterThan(promised.length)
    } finally {
      await server.remove()
    }
  },
)
