import type { Pool, PoolClient, PoolConfig } from 'pg'
import { WaybillError } from '../error.ts'
import { connected, hasEnded, openPool } from './connection.ts'
import { type Erasure, eraseArtifact } from './erasure.ts'
import {
  asWaybillError,
  constraintOf,
  isAfterFailure,
  isOutdated,
  isRolledBack,
  isUnavailable,
  unavailable,
} from './faults.ts'
import { migrateDatabase } from './migrate.ts'
import { preparingClient } from './preparing-client.ts'
import { APPLICATION, type Isolation, isolationOf, severalTenants } from './roles.ts'
import { builderOver, type Tx } from './tx.ts'

/** A database of missions; except for migration and erasure, all work runs in a transaction of one tenant. */
export interface Store {
  readonly url: string
  /** How the database isolates tenants. */
  isolation(): Promise<Isolation>
  /** Migrates the database as its owner; returns the migrations that ran. */
  migrate(): Promise<readonly string[]>
  /**
   * Runs work in a transaction that accesses only the rows of a tenant. The work may run more than once: after a lost
   * connection or a conflict it is retried if certainly nothing was committed.
   */
  tenant<T>(tenant: string, work: (tx: Tx) => Promise<T | Last<T>>): Promise<T>
  /** Erases the payload of an artifact as the owner; returns false when there was none. */
  erase(erasure: Erasure): Promise<boolean>
  /** Restarts a missing embedded server; a no-op for other servers. */
  revive(): void
  close(): Promise<void>
}

/** Marks the last query of a transaction: the commit is sent right behind it. */
export class Last<T = unknown> {
  readonly asked: Promise<T>

  constructor(asked: Promise<T>) {
    this.asked = asked
    // If another part of the work fails first, this rejection is not handled elsewhere.
    asked.catch(() => {})
  }
}

/** Options of a store. */
export interface StoreOptions {
  /** The database URL, with the login of its owner or of a member of the application role. */
  readonly url: string
  /** The most open connections; default 10. */
  readonly poolSize?: number
  /** How long work is retried while the database is unavailable, in milliseconds; default 5,000. */
  readonly patience?: number
  /** Restarts a missing server or watchdog; must not fail. */
  readonly revive?: (() => Promise<void>) | undefined
}

/**
 * Opens a database, which may need migration.
 * @throws {WaybillError} 'store-unavailable' when no server answers; 'configuration' when the login is refused.
 */
export async function openStore({
  url,
  poolSize = 10,
  patience = 5_000,
  revive,
}: StoreOptions): Promise<Store> {
  const store = new OpenStore({ url, poolSize, patience, revive })
  await store.isolation()
  return store
}

/** The first and the longest delay between retries, in milliseconds. */
const FIRST_PAUSE = 25
const LONGEST_PAUSE = 500

/** Sends queries without waiting for earlier answers. */
const PIPELINED: PoolConfig & { readonly pipeline: boolean } = { pipeline: true }

/** The result of an attempt; `mayBeRepeated` if certainly nothing was committed. */
type Attempt<T> =
  | { readonly value: T }
  | { readonly failure: unknown; readonly mayBeRepeated: boolean }

class OpenStore implements Store {
  readonly url: string
  private readonly poolSize: number
  private readonly patience: number
  private readonly reviver: StoreOptions['revive']
  private reviving: Promise<void> | undefined
  private opened: Promise<{ readonly pool: Pool; readonly isolation: Isolation }> | undefined

  constructor({ url, poolSize, patience, revive }: Required<StoreOptions>) {
    this.url = url
    this.poolSize = poolSize
    this.patience = patience
    this.reviver = revive
  }

  isolation(): Promise<Isolation> {
    return translated(() => connected(this.url, isolationOf))
  }

  async migrate(): Promise<readonly string[]> {
    // Migrations are repeatable, so a lost connection is retried.
    const ran = await this.again(async () => {
      try {
        return { value: await migrateDatabase(this.url) }
      } catch (failure) {
        return { failure, mayBeRepeated: isUnavailable(rootOf(failure)) }
      }
    })
    // The migration may have created roles.
    await this.close()
    return ran
  }

  erase(erasure: Erasure): Promise<boolean> {
    return translated(() => connected(this.url, client => eraseArtifact(client, erasure)))
  }

  async tenant<T>(tenant: string, work: (tx: Tx) => Promise<T | Last<T>>): Promise<T> {
    if (tenant === '') throw new WaybillError('usage', 'the tenant name is empty')
    // A null character would break the BEGIN statement and let later statements run outside of the transaction.
    if (tenant.includes('\0'))
      throw new WaybillError('usage', 'the tenant name contains a null character')
    return this.again(() => this.attempt(tenant, work))
  }

  /** Retries until the work succeeds, must not be repeated or takes too long. */
  private async again<T>(trying: () => Promise<Attempt<T>>): Promise<T> {
    const until = performance.now() + this.patience
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const attempt = await trying()
      if ('value' in attempt) return attempt.value
      const { failure, mayBeRepeated } = attempt
      if (isUnavailable(rootOf(failure))) this.revive()
      if (!mayBeRepeated || performance.now() + pause > until) throw asWaybillError(failure)
      // Jitter, so that conflicting transactions do not meet again.
      await new Promise(resolve => setTimeout(resolve, pause * (0.5 + Math.random())))
    }
  }

  revive(): void {
    this.reviving ??= this.reviver?.().finally(() => {
      this.reviving = undefined
    })
  }

  async close(): Promise<void> {
    const opened = this.opened
    this.opened = undefined
    // A failure to open was reported to its caller.
    const { pool } = (await opened?.catch(() => undefined)) ?? {}
    await pool?.end()
  }

  private async attempt<T>(
    tenant: string,
    work: (tx: Tx) => Promise<T | Last<T>>,
  ): Promise<Attempt<T>> {
    let client: PoolClient
    let isolation: Isolation
    try {
      const opened = await this.open()
      isolation = opened.isolation
      client = await opened.pool.connect()
    } catch (failure) {
      return { failure, mayBeRepeated: isUnavailable(failure) }
    }
    const attempt = await transact(client, tenant, isolation, work)
    const cause = 'failure' in attempt && rootOf(attempt.failure)
    client.release(isUnavailable(cause) || isOutdated(cause) || isAfterFailure(cause))
    return attempt
  }

  private open() {
    this.opened ??= this.openPool().catch(error => {
      this.opened = undefined
      throw error
    })
    return this.opened
  }

  private async openPool() {
    const isolation = await connected(this.url, isolationOf)
    const role = isolation.by === 'roles' ? APPLICATION : undefined
    const how = { ...PIPELINED, Client: await preparingClient() }
    return { pool: await openPool(this.url, this.poolSize, role, how), isolation }
  }
}

async function transact<T>(
  client: PoolClient,
  tenant: string,
  isolation: Isolation,
  work: (tx: Tx) => Promise<T | Last<T>>,
): Promise<Attempt<T>> {
  let value: T | Last<T>
  try {
    const builder = await builderOver(client)
    // Saves a round trip. The tenant is a literal, since a multi-statement query takes no parameters.
    const begun = client.query(`begin; set local waybill.tenant to ${client.escapeLiteral(tenant)}`)
    // The work is sent behind BEGIN and fails with it.
    begun.catch(() => {})
    if (isolation.by === 'query') await mustBeTheOnly(client, tenant)
    value = await work(builder)
    await begun
  } catch (error) {
    const ended = isUnavailable(error)
    const rolledBack = ended || (await hasRolledBack(client))
    return failed(error, rolledBack && (ended || maySucceed(error)))
  }
  return value instanceof Last ? commitBehind(client, value.asked) : commit(client, value)
}

/** Whether a retry, possibly on another connection, may succeed. */
function maySucceed(error: unknown): boolean {
  return isRolledBack(error) || isOutdated(error) || isAfterFailure(error)
}

function failed(error: unknown, mayBeRepeated: boolean): Attempt<never> {
  const failure = constraintOf(error) === 'one_tenant' ? severalTenants(error) : error
  return { failure, mayBeRepeated }
}

/** Sends the commit behind a query; if the query fails, the database rolls back. */
async function commitBehind<T>(client: PoolClient, asked: Promise<T>): Promise<Attempt<T>> {
  const committing = commit(client, undefined)
  try {
    const value = await asked
    const committed = await committing
    return 'value' in committed ? { value } : committed
  } catch (error) {
    const committed = await committing
    if ('value' in committed) return failed(error, false)
    // On a lost connection the commit may have succeeded; a server without resources has answered it.
    if (isUnavailable(error) && isUnavailable(rootOf(committed.failure))) return committed
    return failed(error, isUnavailable(error) || maySucceed(error))
  }
}

async function commit<T>(client: PoolClient, value: T): Promise<Attempt<T>> {
  const mayBeRepeated = hasEnded(client)
  try {
    const { command } = await client.query('commit')
    if (command === 'COMMIT') return { value }
    const failure = new WaybillError('internal', 'a failed statement in a transaction was ignored')
    return { failure, mayBeRepeated: false }
  } catch (error) {
    if (mayBeRepeated || isRolledBack(error)) return { failure: error, mayBeRepeated: true }
    if (!isUnavailable(error)) return { failure: error, mayBeRepeated: false }
    const message = 'the connection was lost during a commit: the change may or may not be stored'
    return { failure: unavailable(error, message), mayBeRepeated: false }
  }
}

async function hasRolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}

async function mustBeTheOnly(client: PoolClient, tenant: string): Promise<void> {
  const { rows } = await client.query(
    'select 1 from waybill.tenants where tenant_id <> $1 limit 1',
    [tenant],
  )
  if (rows.length > 0) throw severalTenants()
}

function rootOf(failure: unknown): unknown {
  return failure instanceof WaybillError ? failure.cause : failure
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asWaybillError(error)
  }
}
