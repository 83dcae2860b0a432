import type { Client } from 'pg'
import { WaybillError } from '../../error.ts'
import {
  type Draft,
  type EntryKeys,
  type Hash,
  keyHash,
  type LastClock,
  rootOf,
  sha256,
  TILE_WIDTH,
  type Tile,
} from '../../ledger/index.ts'
import { connected } from '../connection.ts'
import { asWaybillError, codeOf } from '../faults.ts'
import type { Sql } from './database.ts'
import { encodeGroup } from './group.ts'
import { KeyRows } from './key-rows.ts'
import { tileIn } from './reader.ts'
import {
  appendRows,
  BEGIN_HELD,
  CONTENTS,
  DIGESTS,
  ERASE,
  MOVE_BEGIN,
  MOVE_END,
  MOVING,
  PUBLISH,
  STATE,
  stateOf,
  takeState,
} from './statements.ts'

/** An entry of the old log, moved unchanged. */
export type MovedEntry = Omit<Draft, 'seen'>

/** How much of a log was moved. */
interface MovedState {
  readonly size: number
  readonly root: Hash
  /** The time of its last entry, in milliseconds since the epoch; 0 when empty. */
  readonly time: number
}

/** A move of a log into a database; other appends are blocked until it is complete. */
export interface PostgresMove {
  state(): Promise<MovedState>
  /** Adds entries after the first `from`, all or none. */
  add(from: number, entries: readonly MovedEntry[], clock: LastClock): Promise<void>
  /** Reads a tile of the moved part. */
  tile(tile: Tile): Promise<Uint8Array>
  /** The digest of a group's contents, as `digests` computes it. */
  digestOf(lines: readonly string[]): string
  /** The digests of consecutive groups of 256 contents. */
  digests(group: number, groups: number, size: number): Promise<readonly string[]>
  contents(from: number, to: number): Promise<readonly string[]>
  /** Replaces a content that was erased meanwhile by its tombstone. */
  erase(index: number, tombstone: string): Promise<void>
  /** The first entry with different keys; undefined when all are equal. */
  otherKeys(entries: AsyncIterable<EntryKeys>): Promise<number | undefined>
  /** Publishes the checkpoint and ends the move. */
  end(whole: MovedWhole): Promise<void>
}

/** The final state of a moved log. */
interface MovedWhole {
  readonly size: number
  /** Its published checkpoint. */
  readonly note: string
  readonly clock: LastClock
}

/**
 * Moves a log into a migrated database as its owner, or continues an interrupted move.
 * @throws {WaybillError} 'exists' when the database already has a log.
 */
export async function movePostgresLog<T>(
  url: string,
  origin: string,
  work: (move: PostgresMove) => Promise<T>,
): Promise<T> {
  try {
    return await connected(url, async client => {
      await begin(client, origin)
      return work(new Move(client, origin))
    })
  } catch (error) {
    throw codeOf(error) === '42501' ? notAsOwner(error as Error) : asWaybillError(error)
  }
}

/** The error for a worker login, which may append only through functions. */
function notAsOwner(cause: Error): WaybillError {
  return new WaybillError('configuration', `the database denied permission: ${cause.message}`, {
    hint: "only the database owner can move a log: set DATABASE_URL to the owner's login for this command",
    cause,
  })
}

async function begin(client: Client, origin: string): Promise<void> {
  await client.query(BEGIN_HELD)
  const state = await takeState(sqlOf(client))
  const isNew = !state.isMoving && state.frontier.size === 0 && state.origin === undefined
  if (!isNew && !(state.isMoving && state.origin === origin))
    throw new WaybillError('exists', `the database already has a log: ${state.origin}`, {
      hint: 'nothing was written; set DATABASE_URL to another database',
    })
  if (isNew) await client.query(MOVE_BEGIN.text, [origin])
  await client.query('commit')
}

function sqlOf(client: Client): Sql {
  return { rows: async ({ text }, values = []) => (await client.query(text, [...values])).rows }
}

class Move implements PostgresMove {
  readonly #client: Client
  readonly #origin: string

  constructor(client: Client, origin: string) {
    this.#client = client
    this.#origin = origin
  }

  async state(): Promise<MovedState> {
    const { rows } = await this.#client.query(STATE.text)
    const { frontier, clock } = stateOf(rows[0])
    return { size: frontier.size, root: rootOf(sha256, frontier), time: clock?.time ?? 0 }
  }

  async add(from: number, entries: readonly MovedEntry[], clock: LastClock): Promise<void> {
    await this.#moving(async sql => {
      const state = await takeState(sql)
      if (!state.isMoving || state.frontier.size !== from) throw othersMove()
      const outcome = await appendRows(sql, { origin: this.#origin, clock }, encodeGroup(entries))
      if ('first' in outcome && outcome.first === from) return
      throw new WaybillError(
        'ledger-tampered',
        `an entry from ${from} on has keys of another entry`,
        {
          hint: 'run waybill log verify for details; the old log is unchanged',
        },
      )
    })
  }

  tile(tile: Tile): Promise<Uint8Array> {
    return tileIn(tile, sqlOf(this.#client))
  }

  digestOf(lines: readonly string[]): string {
    return Buffer.from(sha256(Buffer.from(lines.join('\n')))).toString('hex')
  }

  async digests(group: number, groups: number, size: number): Promise<readonly string[]> {
    const from = group * TILE_WIDTH
    const to = Math.min(size, from + groups * TILE_WIDTH)
    const { rows } = await this.#client.query(DIGESTS.text, [from, to])
    return rows.map(({ digest }) => Buffer.from(digest).toString('hex'))
  }

  async contents(from: number, to: number): Promise<readonly string[]> {
    const { rows } = await this.#client.query(CONTENTS.text, [from, to])
    return rows.map(({ content }) => content)
  }

  async erase(index: number, tombstone: string): Promise<void> {
    await this.#client.query(ERASE.text, [index, tombstone])
  }

  async otherKeys(entries: AsyncIterable<EntryKeys>): Promise<number | undefined> {
    await this.#client.query('begin isolation level repeatable read read only')
    try {
      const found = new KeyRows(this.#client)
      let index = 0
      for await (const { unique, also } of entries) {
        const rows = await found.upTo(index + 1)
        const there = rows.map(row => `${Buffer.from(row.key).toString('hex')} ${row.isUnique}`)
        if (there.sort().join() !== wanted(unique, also).sort().join()) return index
        index++
      }
      const [more] = await found.upTo(Number.MAX_SAFE_INTEGER)
      return more?.index
    } finally {
      await this.#client.query('rollback')
    }
  }

  async end({ size, note, clock }: MovedWhole): Promise<void> {
    const { time, wall, boot, uptime } = clock
    await this.#moving(async sql => {
      await takeState(sql)
      if (size > 0) await sql.rows(PUBLISH, [this.#origin, size, note])
      await sql.rows(MOVE_END, [time, wall, boot, uptime])
    })
  }

  /** Runs one transaction of the move and waits for the disk. */
  async #moving(work: (sql: Sql) => Promise<void>): Promise<void> {
    await this.#client.query(`begin; ${MOVING}`)
    try {
      await work(sqlOf(this.#client))
      await this.#client.query('commit')
    } catch (error) {
      await this.#client.query('rollback').catch(() => undefined)
      throw error
    }
  }
}

function wanted(unique: readonly string[], also: readonly string[]): string[] {
  const hex = (key: string) => keyHash(key).toString('hex')
  const taken = new Set(unique)
  return [
    ...[...taken].map(key => `${hex(key)} true`),
    ...[...new Set(also)].filter(key => !taken.has(key)).map(key => `${hex(key)} false`),
  ]
}

function othersMove(): WaybillError {
  return new WaybillError('conflict', 'another process is moving the same log into the database', {
    hint: 'wait until it ends, then run waybill doctor',
  })
}
