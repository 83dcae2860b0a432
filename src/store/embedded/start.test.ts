import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openTestServer, type TestServer } from '../../../test/embedded.ts'
import { someOf } from '../../../test/long.ts'
import { comesTrue, processesOf, serversOf } from '../../../test/processes.ts'
import type { Step } from './index.ts'

/** A database that is there already: making one takes most of the time. */
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

/** Starts the test again without a database. */
async function beginEmpty(): Promise<void> {
  await server.remove()
  server = openTestServer()
}

async function ask(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const read = (name: string) => readFileSync(join(server.folder, name), 'utf8').trim()
const modeOf = (name: string) => statSync(join(server.folder, name)).mode & 0o777
const portOf = (url: string) => Number(new URL(url).port)
const servers = () => serversOf(server.root)
const kill = (pid: number): void => void process.kill(pid, 'SIGKILL')
const isGone = (pid: number) =>
  comesTrue(() => {
    try {
      process.kill(pid, 0)
      return false
    } catch {
      return true
    }
  })

test('a first start makes a database that only its owner enters, by a password that is generated', async () => {
  await beginEmpty()
  const { url, pid, binaries } = await server.start()
  expect(binaries).toBe('bundled')
  expect(servers().map(p => p.pid)).toEqual([pid])
  expect(modeOf('.')).toBe(0o700)
  for (const file of ['password', 'port', 'server.json', 'log']) expect(modeOf(file)).toBe(0o600)
  expect(modeOf('data')).toBe(0o700)
  expect(new URL(url).password).toBe(read('password'))
  expect(read('password')).toMatch(/^[0-9a-f]{48}$/)
  expect(portOf(url)).toBe(Number(read('port')))
  const [row] = await ask(
    url,
    'select current_user as name, rolpassword from pg_authid where rolname = current_user',
  )
  expect(row).toEqual({ name: 'waybill', rolpassword: expect.stringMatching(/^SCRAM-SHA-256\$/) })
  for (const other of ['', ':wrong']) {
    const stranger = url.replace(/waybill:[0-9a-f]+@/, `waybill${other}@`)
    await expect(ask(stranger, 'select 1')).rejects.toThrow(/password/)
  }
})

test('it listens on 127.0.0.1 alone', async () => {
  const { url } = await server.start()
  const rows = await ask(
    url,
    "select name, setting from pg_settings where name in ('listen_addresses', 'unix_socket_directories') order by name",
  )
  expect(rows.map(row => row.setting)).toEqual(['127.0.0.1', ''])
  const port = portOf(url).toString(16).toUpperCase().padStart(4, '0')
  const listening = ['tcp', 'tcp6', 'udp', 'udp6'].flatMap(table =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .flatMap(line => {
        const [, address = '', , state] = line.trim().split(/\s+/)
        return address.endsWith(`:${port}`) && state === '0A' ? [address] : []
      }),
  )
  expect(listening).toEqual([`0100007F:${port}`])
})

const BEGINNINGS = [
  ['for the first time', beginEmpty],
  ['after it was stopped', async () => {}],
  ['after it was killed', async (): Promise<void> => kill((await server.start()).pid)],
] as const
test.each(someOf(BEGINNINGS, BEGINNINGS.slice(0, 1)))(
  'ten processes that start it at once, %s, share one server',
  async (_, before) => {
    await before()
    const started = await Promise.all(Array.from({ length: 10 }, () => server.startApart()))
    expect(new Set(started.map(s => s?.pid)).size).toBe(1)
    expect(new Set(started.map(s => s?.url)).size).toBe(1)
    expect(servers().map(p => p.pid)).toEqual([started[0]?.pid])
    expect(readdirSync(server.folder).filter(name => name.startsWith('.'))).toEqual([])
  },
)

test('variables for servers elsewhere (PGSSLMODE, PGSSLNEGOTIATION, PGOPTIONS) do not affect it', async () => {
  vi.stubEnv('PGSSLMODE', 'require')
  vi.stubEnv('PGSSLNEGOTIATION', 'direct')
  vi.stubEnv('PGOPTIONS', '-c role=nowhere')
  const { url } = await server.start({ patience: 20_000 }).finally(() => vi.unstubAllEnvs())
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('its address and its data last over a restart', async () => {
  const first = await server.start()
  await ask(first.url, 'create table kept as select 1 as one')
  expect(await server.stop()).toBe(true)
  expect(await server.stop()).toBe(false)
  const second = await server.start()
  expect(second.url).toBe(first.url)
  expect(second.pid).not.toBe(first.pid)
  expect(await ask(second.url, 'select one from kept')).toEqual([{ one: 1 }])
})

test('a port that another process has taken is changed, and the new one kept', async () => {
  const first = await server.start()
  await server.stop()
  const squatter = await listenOn(portOf(first.url))
  const second = await server.start().finally(() => squatter.close())
  expect(portOf(second.url)).not.toBe(portOf(first.url))
  await server.stop()
  expect((await server.start()).url).toBe(second.url)
})

test.each(someOf(['99999999', '22', 'x'], ['22']))(
  'a port file that says %s is no obstacle',
  async text => {
    writeFileSync(join(server.folder, 'port'), text)
    const { url } = await server.start()
    expect(read('port')).toBe(String(portOf(url)))
    expect(portOf(url)).toBeGreaterThan(1023)
  },
)

function listenOn(port: number): Promise<Server> {
  const squatter = createServer(socket => socket.destroy())
  return new Promise((resolve, reject) => {
    squatter.on('error', reject)
    squatter.listen(port, '127.0.0.1', () => resolve(squatter))
  })
}

test('what was committed is there when the server was killed, at the same address', async () => {
  const first = await server.start()
  await ask(first.url, 'create table kept as select 1 as one')
  kill(first.pid)
  const second = await server.start()
  expect(second).toMatchObject({ url: first.url })
  expect(second.pid).not.toBe(first.pid)
  expect(await ask(second.url, 'select one from kept')).toEqual([{ one: 1 }])
})

test('a killed connection leaves the server there, and a start joins it', async () => {
  const { url, pid } = await server.start()
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  kill(rows[0].pid)
  expect(await server.start()).toMatchObject({ url, pid })
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

const STEPS: readonly Step[] = [
  'choose',
  'password',
  'data',
  'record',
  'watchdog',
  'port',
  'server',
  'join',
]
test.each(someOf<Step>(STEPS, ['data', 'server']))(
  'a starter killed before the step %s leaves what the next one mends',
  async step => {
    await beginEmpty()
    expect(await server.startApart({ killedAt: step })).toBeUndefined()
    const { url } = await server.start()
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(servers()).toHaveLength(1)
    expect(readdirSync(server.folder).filter(name => name.startsWith('.'))).toEqual([])
  },
)

test('a starter killed while data are made leaves what the next one mends', async () => {
  await beginEmpty()
  for (const delay of someOf([0, 100, 300, 600], [100, 600])) {
    const starting = server.startApart()
    expect(await comesTrue(() => fresh().length > 0 || servers().length > 0)).toBe(true)
    await new Promise(resolve => setTimeout(resolve, delay))
    for (const { pid, command } of processesOf(server.root))
      if (command.includes('starter.ts')) kill(pid)
    await starting
  }
  const { url } = await server.start()
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(fresh()).toEqual([])
})

const fresh = () => readdirSync(server.root, { recursive: true }).filter(f => /\.new-/.test(`${f}`))

test('the number of a process that is by now another program does not block a start', async () => {
  const { pid, url } = await server.start()
  const mark = join(server.folder, 'data/postmaster.pid')
  const text = readFileSync(mark, 'utf8')
  await server.stop()
  writeFileSync(mark, text.replace(String(pid), String(process.pid)), { mode: 0o644 })
  const again = await server.start()
  expect(again).toMatchObject({ url })
  expect(again.pid).not.toBe(process.pid)
})

test('a server that another one has taken the port of is not joined', async () => {
  const other = openTestServer(made)
  try {
    const [first, second] = [await server.start(), await other.start()]
    kill(first.pid)
    expect(await isGone(first.pid)).toBe(true)
    const mark = join(server.folder, 'data/postmaster.pid')
    const text = readFileSync(mark, 'utf8').split('\n')
    text[0] = String(second.pid)
    text[3] = String(portOf(second.url))
    writeFileSync(mark, text.join('\n'))
    writeFileSync(join(server.folder, 'port'), String(portOf(second.url)))
    const third = await server.start()
    expect(third.pid).not.toBe(second.pid)
    expect(portOf(third.url)).not.toBe(portOf(second.url))
  } finally {
    await other.remove()
  }
})

test('data that a server on another machine may have open are refused', async () => {
  const record = JSON.parse(read('server.json'))
  const file = join(server.folder, 'server.json')
  writeFileSync(file, JSON.stringify({ ...record, host: 'elsewhere', world: 'another' }))
  writeFileSync(
    join(server.folder, 'data/postmaster.pid'),
    '4194305\n/data\n1\n5432\n\n*\n\nready\n',
  )
  await expect(server.start()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('elsewhere'),
  })
})

test.each(['', 'garbage'])('a mark that says "%s" is reported, with what to do', async text => {
  const mark = join(server.folder, 'data/postmaster.pid')
  writeFileSync(mark, text, { mode: 0o644 })
  const hint = `if no server runs, delete ${mark}`
  await expect(server.start()).rejects.toMatchObject({ code: 'input-output', hint })
  // Its watchdog waits for nothing then.
  execFileSync('rm', ['-r', join(server.folder, 'data')])
})

test('a file in the place of its folder is reported, with what to do', async () => {
  execFileSync('rm', ['-r', server.folder])
  writeFileSync(server.folder, '')
  await expect(server.start()).rejects.toMatchObject({
    code: 'input-output',
    hint: expect.stringContaining('move away'),
  })
})

test('a folder that holds no database is reported, and left alone', async () => {
  execFileSync('rm', [join(server.folder, 'data/PG_VERSION')])
  await expect(server.start()).rejects.toMatchObject({
    code: 'configuration',
    hint: expect.stringContaining('move it away'),
  })
})
