import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../test/database.ts'
import { describeServer, openStore } from './index.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database?.remove())

/** The packet that begins a connection, as PgBouncer passes it on with `ignore_startup_parameters = options`. */
function withoutOptions(packet: Buffer): Buffer {
  const words = packet.subarray(8, -1).toString('latin1').split('\0').slice(0, -1)
  const pairs = words.flatMap((word, i) =>
    i % 2 === 0 && word !== 'options' ? [`${word}\0${words[i + 1]}\0`] : [],
  )
  const body = Buffer.from(`${pairs.join('')}\0`, 'latin1')
  const head = Buffer.from(packet.subarray(0, 8))
  head.writeInt32BE(8 + body.length)
  return Buffer.concat([head, body])
}

/** What PgBouncer answers without that setting. */
function refusal(): Buffer {
  const text = 'SERROR\0C08P01\0Munsupported startup parameter: options\0\0'
  const head = Buffer.from('E....')
  head.writeInt32BE(4 + text.length, 1)
  return Buffer.concat([head, Buffer.from(text)])
}

function drops(near: Socket): void {
  const { port, hostname } = new URL(database.url)
  const far = createConnection(Number(port), hostname)
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
  near.once('data', packet => {
    far.write(withoutOptions(packet))
    near.pipe(far)
  })
  far.pipe(near)
}

function refuses(near: Socket): void {
  near.on('error', () => {})
  near.once('data', () => near.end(refusal()))
}

test.each([
  ['drops the settings of a connection, its role among them', drops],
  ['refuses a connection that brings settings', refuses],
])(
  'a pooler that %s is reported, whether the database is worked with or looked at',
  async (_, pools) => {
    const pooler = createServer(pools)
    await new Promise<void>(resolve => pooler.listen(0, '127.0.0.1', resolve))
    const { port } = pooler.address() as AddressInfo
    const url = Object.assign(new URL(database.url), {
      hostname: '127.0.0.1',
      port: `${port}`,
    }).href
    const problem = {
      code: 'configuration',
      message: expect.stringContaining('pooler'),
      hint: expect.stringContaining('DATABASE_URL'),
    }
    await expect(openStore({ url })).rejects.toMatchObject(problem)
    await expect(describeServer(url)).rejects.toMatchObject(problem)
    await new Promise(resolve => pooler.close(resolve))
  },
)

const CANNOT_BE_READ = 'a file named in DATABASE_URL cannot be read'
test.each([
  ['sslmode=verify-full&sslrootcert=/nowhere/ca.pem', CANNOT_BE_READ, 'sslrootcert'],
  ['sslmode=verify-full&sslkey=/', CANNOT_BE_READ, 'sslkey'],
  ['sslmode=disable&sslnegotiation=direct', 'sslnegotiation', 'that begin with PG'],
])(
  'an address with %s is reported as what it is, however it is opened',
  async (query, message, hint) => {
    const url = `${database.url}?${query}`
    const problem = {
      code: 'configuration',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    }
    await expect(openStore({ url })).rejects.toMatchObject(problem)
    await expect(describeServer(url)).rejects.toMatchObject(problem)
  },
)

test('an address may have options that are no escapes', async () => {
  const url = `${database.url}?options=-c%20application_name=a%ZZ+-c+work_mem=1MB`
  const store = await openStore({ url })
  const { rows } = await store.tenant('acme', tx =>
    sql<{ name: string; memory: string }>`
      select current_setting('application_name') as name, current_setting('work_mem') as memory`.execute(
      tx,
    ),
  )
  expect(rows).toEqual([{ name: 'a%ZZ', memory: '1MB' }])
  await store.close()
})
