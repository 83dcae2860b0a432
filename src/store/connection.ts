import type { Client, ClientConfig, Pool, PoolClient, PoolConfig } from 'pg'
import { WaybillError } from '../error.ts'
import { pooled } from './faults.ts'
import { loadPg } from './packages.ts'

export type { Pool } from 'pg'

/** The connection timeout, in milliseconds. */
const ACCEPT = 10_000
/** How long a transaction may be idle, in milliseconds: a stopped process must not block others. */
const IDLE_IN_TRANSACTION = 15_000

/** Settings that statements and results rely on, whatever the database or login has configured. */
const USUAL = [
  // The driver parses only ISO times.
  '-c datestyle=ISO',
  '-c extra_float_digits=1',
  '-c standard_conforming_strings=on',
  // Otherwise the server rejects queries that a policy would filter.
  '-c row_security=on',
  '-c default_transaction_isolation=read\\ committed',
  // Work has its own limits: storing a large mission takes long.
  '-c statement_timeout=0',
  '-c lock_timeout=0',
]

const FIXED = [
  ...USUAL,
  `-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION}`,
  // All queries have an index. Sessions cache the plans of foreign key checks, and a plan made for a small table would
  // scan it sequentially once it is large.
  '-c enable_seqscan=off',
  // Before version 18, that makes tables without an index look so expensive that the server compiles the query, which
  // takes longer.
  '-c jit=off',
]

/** The settings of a connection, in a role or as the login. */
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

/** Adds a role to a URL, for a program that accepts only a URL. */
export function urlInRole(url: string, role: string): string {
  return urlWith(url, [`-c role=${role}`])
}

/** Adds the usual settings to a URL, for a program that creates tables as the login. */
export function urlAsUsual(url: string): string {
  return urlWith(url, USUAL)
}

function urlWith(url: string, settings: readonly string[]): string {
  const { rest, options } = splitOptions(url)
  const value = encodeURIComponent([...options, ...settings].join(' '))
  return `${rest}${rest.includes('?') ? '&' : '?'}options=${value}`
}

/** Extracts the options of a URL, which would override ours. */
function splitOptions(url: string): { readonly rest: string; readonly options: readonly string[] } {
  const [base = '', query = ''] = url.split(/\?(.*)/s)
  const parts = query.split('&').filter(part => part !== '')
  const given = parts.filter(part => part.startsWith('options='))
  const others = parts.filter(part => !part.startsWith('options='))
  return {
    rest: others.length === 0 ? base : `${base}?${others.join('&')}`,
    // Decode as the driver does: keep invalid escapes.
    options: given.map(part => new URLSearchParams(part).get('options') ?? ''),
  }
}

/** Creates an unopened connection, in a role or as the login. */
export async function clientOf(
  url: string,
  role?: string,
  more: ClientConfig = {},
): Promise<Client> {
  const { Client } = await loadPg()
  const config = { ...configOf(url, role), ...more }
  const client = madeOf(() => new Client(config))
  // The failing query reports a lost connection.
  client.on('error', () => {})
  return client
}

/** Creates a client; this checks settings and reads certificates and keys named in the URL. */
function madeOf(make: () => Client): Client {
  try {
    return make()
  } catch (cause) {
    const { message, code, syscall } = cause as NodeJS.ErrnoException
    const isFile = syscall !== undefined
    throw new WaybillError(
      'configuration',
      isFile
        ? `a file named in DATABASE_URL cannot be read: ${message}`
        : `the settings in DATABASE_URL and the environment are invalid: ${message}`,
      {
        hint: isFile
          ? `check its sslrootcert, sslcert and sslkey (${code})`
          : 'check its query parameters, and the environment variables that begin with PG',
        cause,
      },
    )
  }
}

/** Runs work on one connection, as the login. */
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
 * Refuses a pooler that drops connection settings: it drops the role too, so everything would run as the login although
 * tenants seem isolated by roles.
 */
async function mustHaveSettings(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval) * 1000 = $1 as are_there`,
    [IDLE_IN_TRANSACTION],
  )
  if (!rows[0].are_there) throw pooled()
}

/** Opens a pool of up to `size` connections, in a role or as the login. */
export async function openPool(
  url: string,
  size: number,
  role?: string,
  more: PoolConfig = {},
): Promise<Pool> {
  const { Pool } = await loadPg()
  const pool = new Pool({ ...configOf(url, role), max: size, ...more })
  // The next query reports a lost connection; without a listener it would crash the process.
  pool.on('error', () => {})
  pool.on('connect', (client: PoolClient) => {
    const note = () => void ended.add(client)
    client.on('error', note)
    client.on('end', note)
  })
  return pool
}

const ended = new WeakSet<object>()

/** Reports whether a pooled connection is known to have ended. */
export function hasEnded(client: PoolClient): boolean {
  return ended.has(client)
}
