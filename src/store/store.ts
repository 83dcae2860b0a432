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

/** A database of missions: everything but its migration and erasure happens in a transaction of one tenant. */
export interface Store {
  readonly url: string
  /** What keeps tenants apart in this database. */
  isolation(): Promise<Isolation>
  /** Brings the database up to date, as its owner, and answers which migrations ran. */
  migrate(): Promise<readonly string[]>
  /**
   * Does some work in one transaction that sees and writes the rows of a tenant alone.
   *
   * The work may be done more than once: where the connection drops, or others went first, and it is known that
   * nothing was committed, it is done again on another connection for as long as the store has patience.
   */
  tenant<T>(tenant: string, work: (tx: Tx) => Promise<T | Last<T>>): Promise<T>
  /** Takes the payload of an artifact away, as the owner; false where there was none. */
  erase(erasure: Erasure): Promise<boolean>
  /** Has a server that is gone started again, and looked after, where that is up to us; whoever needs it asks for that. */
  revive(): void
  close(): Promise<void>
}

/** The last that a transaction asks of the server: it is committed behind that at once, if nothing of it fails there. */
export class Last<T = unknown> {
  readonly asked: Promise<T>

  constructor(asked: Promise<T>) {
    this.asked = asked
    // Where another part of the work fails first, nobody may come to wait for it.
    asked.catch(() => {})
  }
}

/** How a store is opened. */
export interface StoreOptions {
  /** Where the database is, and as whom to log in: its owner, or somebody who may take the role of the application. */
  readonly url: string
  /** How many connections may be open at once; ten when absent. */
  readonly poolSize?: number
  /** For how long work is done again while the database cannot be reached, in milliseconds; five seconds when absent. */
  readonly patience?: number
  /** Starts the server again where it is gone, or a watchdog where that is; never fails. */
  readonly revive?: (() => Promise<void>) | undefined
}

/**
 * Opens the database that an address names; it may still have to be migrated.
 *
 * @throws WaybillError `store-unavailable` where no server answers, `configuration` where it does not let us in.
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

/** How long to wait before work is tried again, in milliseconds: at first, and at most. */
const FIRST_PAUSE = 25
const LONGEST_PAUSE = 500

/** What is asked of a connection is sent at once, without waiting for what was asked before it. */
const PIPELINED: PoolConfig & { readonly pipeline: boolean } = { pipeline: true }

/** What came of one attempt: where it failed, whether it is known that nothing was committed. */
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
    // What was done already is found done: a connection that ends is no reason to give up.
    const ran = await this.again(async () => {
      try {
        return { value: await migrateDatabase(this.url) }
      } catch (failure) {
        return { failure, mayBeRepeated: isUnavailable(rootOf(failure)) }
      }
    })
    // There may be roles now that were not there before.
    await this.close()
    return ran
  }

  erase(erasure: Erasure): Promise<boolean> {
    return translated(() => connected(this.url, client => eraseArtifact(client, erasure)))
  }

  async tenant<T>(tenant: string, work: (tx: Tx) => Promise<T | Last<T>>): Promise<T> {
    if (tenant === '') throw new WaybillError('usage', 'the tenant has no name')
    // The statement that begins would not be understood, and what follows it would stand alone.
    if (tenant.includes('\0'))
      throw new WaybillError('usage', 'the name of the tenant holds a NUL character')
    return this.again(() => this.attempt(tenant, work))
  }

  /** Tries until something is done, may not be repeated, or has been waited for long enough. */
  private async again<T>(trying: () => Promise<Attempt<T>>): Promise<T> {
    const until = performance.now() + this.patience
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const attempt = await trying()
      if ('value' in attempt) return attempt.value
      const { failure, mayBeRepeated } = attempt
      if (isUnavailable(rootOf(failure))) this.revive()
      if (!mayBeRepeated || performance.now() + pause > until) throw asWaybillError(failure)
      // Those who stood in each other's way must not meet again.
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
    // What could not be opened has been told to whoever wanted it.
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
    // One way to the server instead of two; the name is a literal because a list of statements takes no parameters.
    const begun = client.query(`begin; set local waybill.tenant to ${client.escapeLiteral(tenant)}`)
    // The work is sent behind it; where it fails, so does the work.
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

/** Whether what the database has refused may be taken when all is done again, on another connection if it must be. */
function maySucceed(error: unknown): boolean {
  return isRolledBack(error) || isOutdated(error) || isAfterFailure(error)
}

function failed(error: unknown, mayBeRepeated: boolean): Attempt<never> {
  const failure = constraintOf(error) === 'one_tenant' ? severalTenants(error) : error
  return { failure, mayBeRepeated }
}

/** What is committed behind a statement that fails is rolled back by the database. */
async function commitBehind<T>(client: PoolClient, asked: Promise<T>): Promise<Attempt<T>> {
  const committing = commit(client, undefined)
  try {
    const value = await asked
    const committed = await committing
    return 'value' in committed ? { value } : committed
  } catch (error) {
    const committed = await committing
    if ('value' in committed) return failed(error, false)
    // Of a connection that ended nobody knows whether the commit was heard; a server without room has answered it.
    if (isUnavailable(error) && isUnavailable(rootOf(committed.failure))) return committed
    return failed(error, isUnavailable(error) || maySucceed(error))
  }
}

async function commit<T>(client: PoolClient, value: T): Promise<Attempt<T>> {
  const mayBeRepeated = hasEnded(client)
  try {
    const { command } = await client.query('commit')
    if (command === 'COMMIT') return { value }
    const failure = new WaybillError(
      'internal',
      'a failure inside of a transaction was passed over',
    )
    return { failure, mayBeRepeated: false }
  } catch (error) {
    if (mayBeRepeated || isRolledBack(error)) return { failure: error, mayBeRepeated: true }
    if (!isUnavailable(error)) return { failure: error, mayBeRepeated: false }
    const message = 'the connection ended while a change was being stored: it may be there, or not'
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
