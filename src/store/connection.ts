import type { Client, ClientConfig, Pool, PoolClient, PoolConfig } from 'pg'
import { WaybillError } from '../error.ts'
import { pooled } from './faults.ts'
import { loadPg } from './packages.ts'

export type { Pool } from 'pg'

/** How long a server may take to accept a connection, in milliseconds. */
const ACCEPT = 10_000
/** How long a transaction may wait for its own process, in milliseconds: one that is stopped must not hold others up. */
const IDLE_IN_TRANSACTION = 15_000

/** What a database or a login may have been given otherwise: statements and answers are written for these. */
const USUAL = [
  // The driver reads times of this form alone.
  '-c datestyle=ISO',
  '-c extra_float_digits=1',
  '-c standard_conforming_strings=on',
  // Otherwise the server refuses whatever a policy would narrow.
  '-c row_security=on',
  '-c default_transaction_isolation=read\\ committed',
  // What is limited here has its own limits: a large mission takes long to store.
  '-c statement_timeout=0',
  '-c lock_timeout=0',
]

const FIXED = [
  ...USUAL,
  `-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION}`,
  // Whatever is looked for has a key. A session keeps the plans of its reference checks, and one that was made while a
  // table was small would read all of it for each row once it is large.
  '-c enable_seqscan=off',
  // Before version 18 that makes a table without keys look so dear that the server compiles its query, which takes longer.
  '-c jit=off',
]

/** The settings of a connection that works in a role; without a role it is that of whoever logs in. */
function configOf(url: string, role?: string): ClientConfig {
  const settings = [...(role === undefined ? [] : [`-c role=${role}`]), ...FIXED]
  const { rest, options } = splitOptions(url)
  return {
    connectionString: rest,
    options: [...options, ...settings].join(' '),
    connectionTimeoutMillis: ACCEPT,
    keepAlive: true,
  }
}

/** The same address for a program that takes nothing but an address: its connections work in the role. */
export function urlInRole(url: string, role: string): string {
  return urlWith(url, [`-c role=${role}`])
}

/** The same for one that makes tables as whoever logs in. */
export function urlAsUsual(url: string): string {
  return urlWith(url, USUAL)
}

function urlWith(url: string, settings: readonly string[]): string {
  const { rest, options } = splitOptions(url)
  const value = encodeURIComponent([...options, ...settings].join(' '))
  return `${rest}${rest.includes('?') ? '&' : '?'}options=${value}`
}

/** Options that an address carries would win over ours. */
function splitOptions(url: string): { readonly rest: string; readonly options: readonly string[] } {
  const [base = '', query = ''] = url.split(/\?(.*)/s)
  const parts = query.split('&').filter(part => part !== '')
  const given = parts.filter(part => part.startsWith('options='))
  const others = parts.filter(part => !part.startsWith('options='))
  return {
    rest: others.length === 0 ? base : `${base}?${others.join('&')}`,
    // As the driver reads it: what is no escape stays as it is.
    options: given.map(part => new URLSearchParams(part).get('options') ?? ''),
  }
}

/** One connection that is still to be opened; in a role, or as whoever the address logs in as. */
export async function clientOf(
  url: string,
  role?: string,
  more: ClientConfig = {},
): Promise<Client> {
  const { Client } = await loadPg()
  const config = { ...configOf(url, role), ...more }
  const client = madeOf(() => new Client(config))
  // A server that goes away is told by the query that fails.
  client.on('error', () => {})
  return client
}

/** Settings are looked at, and certificates and keys that an address names are read, before anything is connected to. */
function madeOf(make: () => Client): Client {
  try {
    return make()
  } catch (cause) {
    const { message, code, syscall } = cause as NodeJS.ErrnoException
    const isFile = syscall !== undefined
    throw new WaybillError(
      'configuration',
      isFile
        ? `a file that DATABASE_URL names cannot be read: ${message}`
        : `the settings of DATABASE_URL, and those of the environment, do not fit: ${message}`,
      {
        hint: isFile
          ? `look at sslrootcert, sslcert and sslkey there (${code})`
          : 'look at its part behind the question mark, and at variables whose names begin with PG',
        cause,
      },
    )
  }
}

/** Does some work on one connection, as whoever the address logs in as. */
export async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await clientOf(url)
  try {
    await client.connect()
    await mustHaveSettings(client)
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * A pooler that drops the settings of a connection drops its role too: everything would be done as who logs in, and said
 * to be kept apart by roles. Whoever opens anything in a database asks here first.
 */
async function mustHaveSettings(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval) * 1000 = $1 as are_there`,
    [IDLE_IN_TRANSACTION],
  )
  if (!rows[0].are_there) throw pooled()
}

/** Opens connections in a role as they are needed, up to a number. */
export async function openPool(
  url: string,
  size: number,
  role?: string,
  more: PoolConfig = {},
): Promise<Pool> {
  const { Pool } = await loadPg()
  const pool = new Pool({ ...configOf(url, role), max: size, ...more })
  // A server that goes away is told by the next query; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client: PoolClient) => {
    const note = () => void ended.add(client)
    client.on('error', note)
    client.on('end', note)
  })
  return pool
}

const ended = new WeakSet<object>()

/** Tells whether the connection of a pool is known to have ended: nothing that is asked of it leaves this process. */
export function hasEnded(client: PoolClient): boolean {
  return ended.has(client)
}
