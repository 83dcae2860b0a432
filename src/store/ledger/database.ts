import type { Pool, PoolClient } from 'pg'
import { connected, openPool } from '../connection.ts'
import { asWaybillError, isRolledBack, isUnavailable } from '../faults.ts'
import { APPLICATION, isolationOf } from '../roles.ts'

/** A row as the driver gives it. */
export type Row = Readonly<Record<string, unknown>>

/** A statement that a connection prepares once, by its name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** What statements run on: a connection of the log, or the transaction of a caller. */
export interface Sql {
  rows(statement: Statement, values?: readonly unknown[]): Promise<readonly Row[]>
}

/** How many connections a log has at most: one appends, one makes durable, others read. */
const CONNECTIONS = 4
/** For how long work is done again while the database cannot be reached, in milliseconds. */
const PATIENCE = 5_000
const FIRST_PAUSE = 25
const LONGEST_PAUSE = 500

/** The connections of a log; opened when they are needed, also after they were closed. */
export class LedgerDatabase {
  readonly #url: string
  #pool: Promise<Pool> | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Runs a statement that changes nothing, again if the connection drops. */
  read(statement: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return patiently(async () => {
      const pool = await this.#open()
      const { rows } = await pool.query({ ...statement, values: [...values] })
      return rows
    })
  }

  /** Does some work on one connection, which is given up if it failed. */
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

  /** Does some work as whoever owns the database. */
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
    // What could not be opened has been told to whoever wanted it.
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
    // An append and its commit go to the server in one way.
    pipeline: true,
  })
}

/** The statements of a connection. */
export function sqlOn(client: PoolClient): Sql {
  return {
    rows: async (statement, values = []) =>
      (await client.query({ ...statement, values: [...values] })).rows,
  }
}

/** Does work that may be done twice, again and again while the database cannot be reached. */
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

/** Whether the same may succeed again after a while. */
export function isPassing(error: unknown): boolean {
  return isUnavailable(error) || isRolledBack(error)
}

/** Waits between attempts, longer each time, until patience is over. */
export class Pauses {
  #since: number | undefined
  #pause = FIRST_PAUSE

  /** Resolves when the next attempt may be made; with false when there is to be none. */
  async next(): Promise<boolean> {
    this.#since ??= performance.now()
    if (performance.now() - this.#since + this.#pause > PATIENCE) return false
    // Those who stood in each other's way must not meet again.
    await new Promise(resolve => setTimeout(resolve, this.#pause * (0.5 + Math.random())))
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE)
    return true
  }
}
