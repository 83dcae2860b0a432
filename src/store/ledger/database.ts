import type { Pool, PoolClient } from 'pg'
import { connected, openPool } from '../connection.ts'
import { asWaybillError, isRolledBack, isUnavailable } from '../faults.ts'
import { APPLICATION, isolationOf } from '../roles.ts'

/** A row as the driver returns it. */
export type Row = Readonly<Record<string, unknown>>

/** A named prepared statement. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Runs statements on a log's connection or in a caller's transaction. */
export interface Sql {
  rows(statement: Statement, values?: readonly unknown[]): Promise<readonly Row[]>
}

/** The most connections of a log: one appends, one flushes, others read. */
const CONNECTIONS = 4
/** How long work is retried while the database is unavailable, in milliseconds. */
const PATIENCE = 5_000
const FIRST_PAUSE = 25
const LONGEST_PAUSE = 500

/** The connections of a log, opened on demand. */
export class LedgerDatabase {
  readonly #url: string
  #pool: Promise<Pool> | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Runs a read-only statement, with retries. */
  read(statement: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return patiently(async () => {
      const pool = await this.#open()
      const { rows } = await pool.query({ ...statement, values: [...values] })
      return rows
    })
  }

  /** Runs work on one connection, which is closed on failure. */
  async on<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await (await this.#open()).connect()
    let isWell = false
    try {
      const value = await work(client)
      isWell = true
      return value
    } finally {
      client.release(!isWell)
    }
  }

  /** Runs a statement as the owner of the database. */
  asOwner(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    return patiently(() =>
      connected(this.#url, async client => {
        const { rows } = await client.query(statement.text, [...values])
        return rows
      }),
    )
  }

  async close(): Promise<void> {
    const opened = this.#pool
    this.#pool = undefined
    // A failure to open was reported to its caller.
    const pool = await opened?.catch(() => undefined)
    await pool?.end()
  }

  #open(): Promise<Pool> {
    this.#pool ??= openConnections(this.#url).catch(error => {
      this.#pool = undefined
      throw error
    })
    return this.#pool
  }
}

async function openConnections(url: string): Promise<Pool> {
  const isolation = await connected(url, isolationOf)
  const role = isolation.by === 'roles' ? APPLICATION : undefined
  return openPool(url, CONNECTIONS, role, {
    allowExitOnIdle: true,
    // An append and its commit share one round trip.
    pipeline: true,
  })
}

/** Runs statements on a connection. */
export function sqlOn(client: PoolClient): Sql {
  return {
    rows: async (statement, values = []) =>
      (await client.query({ ...statement, values: [...values] })).rows,
  }
}

/** Retries idempotent work while the database is unavailable. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const pauses = new Pauses()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || !(await pauses.next())) throw asWaybillError(error)
    }
  }
}

/** Reports whether a retry may succeed. */
export function isPassing(error: unknown): boolean {
  return isUnavailable(error) || isRolledBack(error)
}

/** Growing delays between retries, up to a limit. */
export class Pauses {
  #since: number | undefined
  #pause = FIRST_PAUSE

  /** Waits; resolves with false when no further retry is allowed. */
  async next(): Promise<boolean> {
    this.#since ??= performance.now()
    if (performance.now() - this.#since + this.#pause > PATIENCE) return false
    // Jitter, so that conflicting transactions do not meet again.
    await new Promise(resolve => setTimeout(resolve, this.#pause * (0.5 + Math.random())))
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE)
    return true
  }
}
