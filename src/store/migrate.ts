import type { Kysely } from 'kysely'
import type { Migrator } from 'kysely/migration'
import type { Client } from 'pg'
import { WaybillError } from '../error.ts'
import { connected, urlAsUsual } from './connection.ts'
import { loadDurable, loadKysely, loadMigrator } from './packages.ts'
import {
  APPLICATION,
  DURABLE,
  ensureRoles,
  giveRights,
  type Isolation,
  isolationOf,
  markOfRights,
} from './roles.ts'
import { builderOver } from './tx.ts'

/** The advisory lock of a migration, an arbitrary constant that must not change. */
const LOCK = 7_246_201_846
/** The polling interval for the lock, in milliseconds. */
const ASK_AGAIN = 50
/** How long to wait for the lock, in milliseconds: a stopped process holds it forever. */
const LONGEST_WAIT = 180_000
/** How often migrations are retried after deadlocks with running work. */
const MOST_TRIES = 30
/** The oldest tested server version. */
const OLDEST = 150_000

/**
 * Migrates a database as its owner: roles, tables, the queue's schema, rights. Returns the migrations that ran. Safe to
 * run concurrently: one process migrates, the others wait. `upTo` stops at an earlier migration; `longestWait` limits
 * the wait for another process, in milliseconds.
 */
export function migrateDatabase(
  url: string,
  upTo?: string,
  longestWait = LONGEST_WAIT,
): Promise<readonly string[]> {
  return connected(url, async client => {
    await mustFit(client)
    if (upTo === undefined && (await isUpToDate(client))) return []
    await takeLock(client, longestWait)
    const isolation = await ensureRoles(client)
    const ran = await runMigrations(client, upTo)
    const isComplete = upTo === undefined
    if (!isComplete) return ran
    const { migrations } = await import('./migrations.generated.ts')
    const mark = markOfRights(migrations.map(([name]) => name))
    const hasChanged = ran.length > 0 || (await areRightsMissing(client, isolation, mark))
    await migrateQueue(client, url, isolation, hasChanged)
    if (hasChanged) await giveRights(client, isolation, mark)
    return ran
  })
}

/** Checks without the lock whether everything is done; the mark of rights is set last. */
async function isUpToDate(client: Client): Promise<boolean> {
  const isolation = await isolationOf(client, [APPLICATION, DURABLE])
  if (isolation.by !== 'roles') return false
  const { rows } = await client.query(
    `select to_regclass('waybill.migrations') is not null and to_regnamespace('dbos') is not null as made`,
  )
  if (!rows[0].made) return false
  const { migrations } = await import('./migrations.generated.ts')
  const names = migrations.map(([name]) => name)
  const { rows: ran } = await client.query('select name from waybill.migrations order by name')
  if (ran.map(({ name }) => name).join() !== names.join()) return false
  return !(await areRightsMissing(client, isolation, markOfRights(names)))
}

/**
 * Polls for the lock instead of waiting in the server: a waiting session has a snapshot, and the queue's migrations
 * build indexes that wait for all snapshots to end.
 */
async function takeLock(client: Client, longestWait: number): Promise<void> {
  const begun = performance.now()
  for (;;) {
    const { rows } = await client.query(`select pg_try_advisory_lock(${LOCK}) as taken`)
    if (rows[0].taken) return
    if (performance.now() - begun > longestWait) throw await lockedError(client)
    await new Promise(resolve => setTimeout(resolve, ASK_AGAIN))
  }
}

async function lockedError(client: Client): Promise<WaybillError> {
  const { rows } = await client.query(
    `select pid from pg_locks where locktype = 'advisory' and granted
       and (classid::bigint << 32) + objid::bigint = ${LOCK}
       and database = (select oid from pg_database where datname = current_database())`,
  )
  const end = rows[0] ? `: select pg_terminate_backend(${rows[0].pid})` : ''
  return new WaybillError(
    'store-unavailable',
    'another process is migrating the database and does not finish',
    { hint: `wait for it and try again; if it hangs, end the process or its connection${end}` },
  )
}

async function mustFit(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::integer as version,
       current_setting('server_version') as release, current_setting('server_encoding') as encoding`,
  )
  const { version, release, encoding } = rows[0]
  if (version < OLDEST)
    throw new WaybillError(
      'configuration',
      `the server is PostgreSQL ${release}, which is too old`,
      {
        hint: 'use PostgreSQL 15 or newer',
      },
    )
  if (encoding !== 'UTF8')
    throw new WaybillError('configuration', `the database stores texts as ${encoding}`, {
      hint: "create it with encoding 'UTF8'",
    })
}

async function runMigrations(client: Client, upTo?: string): Promise<readonly string[]> {
  const migrator = await migratorOf(client)
  for (let tries = 1; ; tries++) {
    const { results = [], error } = upTo
      ? await migrator.migrateTo(upTo)
      : await migrator.migrateToLatest()
    if (error === undefined) return results.map(({ migrationName }) => migrationName)
    if (!isDeadlock(error) || tries === MOST_TRIES) throw await explained(error)
  }
}

/** Concurrent work may lock tables in another order: the server then aborts one transaction, which is retried. */
function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01'
}

async function migratorOf(client: Client): Promise<Migrator> {
  const [{ sql }, { Migrator }, { migrations }] = await Promise.all([
    loadKysely(),
    loadMigrator(),
    import('./migrations.generated.ts'),
  ])
  const list = migrations.map(([name, statements]) => {
    const up = async (db: Kysely<unknown>) => {
      await sql.raw(statements).execute(db)
    }
    return [name, { up }] as const
  })
  return new Migrator({
    db: (await builderOver(client)) as Kysely<unknown>,
    provider: { getMigrations: async () => Object.fromEntries(list) },
    migrationTableSchema: 'waybill',
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_lock',
  })
}

async function explained(error: unknown): Promise<unknown> {
  const isNewer =
    error instanceof Error && /previously executed migration .* is missing/.test(error.message)
  if (!isNewer) return error
  return new WaybillError(
    'configuration',
    'the database was migrated by a newer version of Waybill',
    {
      hint: 'use that version or a newer one',
      cause: error,
    },
  )
}

/** Creates or migrates the queue's schema by its own package; only missions need it. */
async function migrateQueue(
  client: Client,
  url: string,
  { by }: Isolation,
  hasChanged: boolean,
): Promise<void> {
  const { rows } = await client.query("select to_regnamespace('dbos') is not null as made")
  if (rows[0].made && !hasChanged) return
  const durable = await loadDurable()
  // The internal function: the public one writes to standard output.
  await durable?.migrateSystemDatabase(
    urlAsUsual(url),
    SILENT as never,
    'dbos',
    by === 'roles' ? DURABLE : undefined,
  )
}

const ignore = () => {}
const SILENT = { info: ignore, debug: ignore, warn: ignore, error: ignore }

/**
 * Reports whether rights are missing: roles may be created after the last migration, or a process may end before
 * granting rights.
 */
async function areRightsMissing(client: Client, { by }: Isolation, mark: string): Promise<boolean> {
  if (by === 'query') {
    const { rows } = await client.query(
      "select to_regclass('waybill.one_tenant') is null as missing",
    )
    return rows[0].missing
  }
  const { rows } = await client.query(
    `select not has_schema_privilege('waybill_app', 'waybill', 'usage')
       or to_regclass('waybill.one_tenant') is not null
       or obj_description('waybill'::regnamespace) is distinct from $1 as missing`,
    [mark],
  )
  return rows[0].missing
}
