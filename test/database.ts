import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import pg from 'pg'
import { inject } from 'vitest'
import { openStore, type Store, startEmbedded } from '../src/store/index.ts'
import { openStateFolder } from '../src/workspace/index.ts'
import { startingIn } from './embedded.ts'

/** A database for the time of a test file. */
export interface Database {
  /** Logs in as its owner. */
  readonly url: string
  readonly store: Store
  remove(): Promise<void>
}

/** How a database is made. */
export interface DatabaseOptions {
  /** With all tables by default. */
  readonly migrated?: boolean
  /** By default on the embedded server; otherwise on that of the system's programs, or on one at an address. */
  readonly server?: string
}

/**
 * Makes a database, a copy of one that was migrated once for all tests of a run.
 *
 * All of them share one server for each kind of programs, which the end of the run stops. `WAYBILL_TEST_DATABASE` names
 * the server where a test does not: `system`, or an address whose user may create databases and roles.
 */
export async function openDatabase({
  migrated = true,
  server = process.env.WAYBILL_TEST_DATABASE ?? 'bundled',
}: DatabaseOptions = {}): Promise<Database> {
  const isOurs = server === 'bundled' || server === 'system'
  const main = isOurs ? await serverUrl(server) : server
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = databaseUrl(main, name)
  const isCopied = migrated && isOurs
  await onServer(main, async client => {
    if (isCopied) await ensureTemplate(client, main)
    await client.query(`create database ${name} ${isCopied ? `template ${TEMPLATE}` : ''}`)
  })
  const store = await openStore({ url })
  if (migrated && !isCopied) await store.migrate()
  return {
    url,
    store,
    async remove() {
      await store.close()
      await onServer(main, client => client.query(`drop database ${name} with (force)`))
    },
  }
}

async function serverUrl(binaries: 'bundled' | 'system'): Promise<string> {
  const root = join(inject('databases'), binaries)
  mkdirSync(root, { recursive: true })
  const { url } = await startEmbedded(openStateFolder(root), startingIn(root, { binaries }))
  return url
}

const TEMPLATE = 'waybill_template'
/** The lock that is held while the template is made; any number. */
const LOCK = 4_412_907_133

/** Makes the template that all databases of a run are copied from; its name is given when it is complete. */
async function ensureTemplate(client: Client, main: string): Promise<void> {
  await client.query(`select pg_advisory_lock(${LOCK})`)
  const { rows } = await client.query('select from pg_database where datname = $1', [TEMPLATE])
  if (rows.length === 0) {
    // What a test has written need not outlast a power cut.
    await client.query('alter system set fsync = off')
    await client.query('select pg_reload_conf()')
    await client.query('drop database if exists template_to_be')
    await client.query('create database template_to_be')
    const store = await openStore({ url: databaseUrl(main, 'template_to_be') })
    await store.migrate()
    await store.close()
    await client.query(`alter database template_to_be rename to ${TEMPLATE}`)
  }
  await client.query(`select pg_advisory_unlock(${LOCK})`)
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  url.search = ''
  return url.href
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
