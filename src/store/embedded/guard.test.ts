import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { canSetServers, openClock, restartByClock } from '../../../test/clocks.ts'
import { openTestServer, type TestServer } from '../../../test/embedded.ts'
import { comesTrue, type Process, processesOf, serversOf } from '../../../test/processes.ts'

const made = openTestServer()
beforeAll(async () => {
  await made.start()
  await made.stop()
})
afterAll(() => made.remove())

let server: TestServer
beforeEach(() => {
  server = openTestServer(made)
})
afterEach(() => server.remove())

/** Time without use after which a server is stopped, in milliseconds: short, and longer than a busy machine sleeps. */
const idle = 3000

const processes = (pattern: RegExp) =>
  processesOf(server.root).filter(({ command }) => pattern.test(command))
const servers = () => serversOf(server.root)
const watchdogs = () => processes(/watchdog\.ts/)
/** Starts another watchdog like one that runs, which may know another time of the last start. */
function startLike(watchdog: Process | undefined, before?: string): ChildProcess {
  const [, program = '', ...args] = watchdog?.command.split(' ') ?? []
  const changed = before === undefined ? args : [...args.slice(0, -1), before]
  return spawn(process.execPath, [program, ...changed], { stdio: 'ignore' })
}
const endOf = (child: ChildProcess) => new Promise(resolve => child.on('exit', resolve))
const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))
const log = () => readFileSync(join(server.folder, 'log'), 'utf8')

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function isGuarded(url: string): Promise<boolean> {
  const client = await connect(url)
  try {
    const { rows } = await client.query(
      "select from pg_locks where locktype = 'advisory' and objid = 1",
    )
    return rows.length > 0
  } finally {
    await client.end()
  }
}

test('an unused server is stopped, and its watchdog ends with it', async () => {
  await server.start({ idle })
  expect(await comesTrue(() => processesOf(server.root).length === 0)).toBe(true)
  expect(log()).toContain('database system is shut down')
})

test('a server that is started again after that has another watchdog', async () => {
  await server.start({ idle })
  expect(await comesTrue(() => servers().length === 0)).toBe(true)
  await server.start({ idle })
  expect(await comesTrue(() => processesOf(server.root).length === 0)).toBe(true)
})

test('a server whose data are removed with it leaves no watchdog', async () => {
  const { url } = await server.start()
  expect(await comesTrue(() => isGuarded(url))).toBe(true)
  process.kill(servers()[0]?.pid ?? 0, 'SIGQUIT')
  rmSync(server.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  expect(await comesTrue(() => processesOf(server.root).length === 0)).toBe(true)
})

test('a connection keeps the server there, also one that does nothing', async () => {
  const { url, pid } = await server.start({ idle })
  const client = await connect(url)
  await pause(3 * idle)
  expect(servers().map(p => p.pid)).toEqual([pid])
  await client.end()
  expect(await comesTrue(() => servers().length === 0)).toBe(true)
})

test('short connections keep it there, which the watchdog may never see', async () => {
  const { url, pid } = await server.start({ idle: 10_000 })
  for (let count = 0; count < 6; count++) {
    await pause(2_000)
    await (await connect(url)).end()
  }
  expect(servers().map(p => p.pid)).toEqual([pid])
})

test('who joins in the moment in which it is stopped gets a server that stays', async () => {
  const short = 400
  for (let round = 0; round < (process.env.WAYBILL_LONG_FAULTS === '1' ? 12 : 6); round++) {
    const { url } = await server.start({ idle: short })
    const since = performance.now()
    try {
      const client = await connect(url)
      await client.query('select 1')
      await client.end()
    } catch {
      // Who comes too late finds none: on a busy machine that may be us.
      expect(performance.now() - since).toBeGreaterThan(short / 2)
    }
    // Around the moment in which the watchdog has waited long enough.
    await pause(short - 60 + 30 * (round % 6))
  }
  expect(await comesTrue(() => processesOf(server.root).length === 0)).toBe(true)
})

test('where the watchdog was killed, the next one to start brings another', async () => {
  const { url, pid } = await server.start({ idle })
  expect(await comesTrue(() => isGuarded(url))).toBe(true)
  for (const watchdog of watchdogs()) process.kill(watchdog.pid, 'SIGKILL')
  await pause(2 * idle)
  expect(servers().map(p => p.pid)).toEqual([pid])
  expect(watchdogs()).toEqual([])
  expect(await server.start({ idle })).toMatchObject({ pid })
  expect(await comesTrue(() => processesOf(server.root).length === 0)).toBe(true)
})

test.skipIf(!canSetServers)(
  'a server that was started before the clock was set back gets another watchdog too',
  async () => {
    const clock = openClock()
    onTestFinished(() => clock.remove())
    clock.set(3_600_000)
    const { url } = await server.start({ idle })
    expect(await comesTrue(() => isGuarded(url))).toBe(true)
    for (const watchdog of watchdogs()) process.kill(watchdog.pid, 'SIGKILL')
    await restartByClock(server, url, clock)
    expect(await isGuarded(url)).toBe(false)
    await server.start({ idle })
    expect(await comesTrue(() => processesOf(server.root).length === 0)).toBe(true)
  },
)

test('a watchdog waits for a server although the last one was started by a clock that was ahead', async () => {
  const ahead = Date.now() / 1000 + 3600
  utimesSync(join(server.folder, 'data/postmaster.opts'), ahead, ahead)
  expect(await server.startApart({ idle, killedAt: 'port' })).toBeUndefined()
  expect(await comesTrue(() => watchdogs().length === 1)).toBe(true)
  const [first] = watchdogs()
  // Others that know of no start take this one for new, and end: when they have, the first has loaded as well.
  for (const _ of [0, 1, 2]) expect(await endOf(startLike(first, '0'))).toBe(0)
  expect(watchdogs()).toEqual([first])
  rmSync(server.folder, { recursive: true, force: true })
  expect(await comesTrue(() => processesOf(server.root).length === 0)).toBe(true)
})

test('of several watchdogs one stays', async () => {
  const { url, pid } = await server.start({ idle: 60_000 })
  expect(await comesTrue(() => isGuarded(url))).toBe(true)
  const [first] = watchdogs()
  const others = [0, 1, 2].map(() => endOf(startLike(first)))
  expect(await Promise.all(others)).toEqual([0, 0, 0])
  expect(watchdogs()).toEqual([first])
  expect(servers().map(p => p.pid)).toEqual([pid])
})

test('a watchdog whose connection is ended comes back to its server', async () => {
  const { url, pid } = await server.start({ idle })
  expect(await comesTrue(() => isGuarded(url))).toBe(true)
  const [first] = watchdogs()
  const client = await connect(url)
  // A killed process of the server ends all connections.
  await client.query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
  expect(await comesTrue(() => isGuarded(url))).toBe(true)
  expect(watchdogs()).toEqual([first])
  expect(servers().map(p => p.pid)).toEqual([pid])
  await client.end()
  expect(await comesTrue(() => processesOf(server.root).length === 0)).toBe(true)
})

test('a watchdog ends with a server that was killed', async () => {
  const { url, pid } = await server.start()
  expect(await comesTrue(() => isGuarded(url))).toBe(true)
  process.kill(pid, 'SIGKILL')
  expect(await comesTrue(() => processesOf(server.root).length === 0)).toBe(true)
})

test('a starter that is killed before the server answers leaves one that is stopped while it is unused', async () => {
  expect(await server.startApart({ idle, killedAt: 'join' })).toBeUndefined()
  expect(servers()).toHaveLength(1)
  expect(await comesTrue(() => processesOf(server.root).length === 0)).toBe(true)
})

test('a watchdog waits for no server whose data are removed before it is there', async () => {
  expect(await server.startApart({ killedAt: 'port' })).toBeUndefined()
  expect(watchdogs()).toHaveLength(1)
  rmSync(server.folder, { recursive: true, force: true })
  expect(await comesTrue(() => processesOf(server.root).length === 0)).toBe(true)
})
