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

/** An entry that stood in a log before; nothing of it is decided anew. */
export type MovedEntry = Omit<Draft, 'seen'>

/** How much of a log is in the database. */
interface MovedState {
  readonly size: number
  readonly root: Hash
  /** When the last of it was appended, in milliseconds since 1970; 0 where nothing is there. */
  readonly time: number
}

/** A log on its way into a database, to which nobody else can append until it is whole. */
export interface PostgresMove {
  state(): Promise<MovedState>
  /** Adds entries behind the first `from`; all of them, or none. */
  add(from: number, entries: readonly MovedEntry[], clock: LastClock): Promise<void>
  /** A tile of what is there. */
  tile(tile: Tile): Promise<Uint8Array>
  /** The digest of the contents of a group, as `digests` gives it. */
  digestOf(lines: readonly string[]): string
  /** The digests of the contents of groups of 256 entries, for as many groups as are wanted. */
  digests(group: number, groups: number, size: number): Promise<readonly string[]>
  contents(from: number, to: number): Promise<readonly string[]>
  /** Puts a tombstone in the place of a content that was erased meanwhile. */
  erase(index: number, tombstone: string): Promise<void>
  /** The first entry whose keys are not these; nothing where the index is the same. */
  otherKeys(entries: AsyncIterable<EntryKeys>): Promise<number | undefined>
  /** Publishes the checkpoint of the whole, and lets others append. */
  end(whole: MovedWhole): Promise<void>
}

/** What is told of a log once all of it is there. */
interface MovedWhole {
  readonly size: number
  /** Its published checkpoint. */
  readonly note: string
  readonly clock: LastClock
}

/**
 * Moves a log into a migrated database, as its owner, or goes on with that.
 *
 * @throws WaybillError `exists` where the database has a log of its own.
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

/** A login for workers has all the rights that it is to have: none to put a log into the database past its functions. */
function notAsOwner(cause: Error): WaybillError {
  return new WaybillError('configuration', `the database does not permit this: ${cause.message}`, {
    hint: 'a log is moved as the owner of the database: let DATABASE_URL log in as the owner for this once; workers go on with their own login',
    cause,
  })
}

async function begin(client: Client, origin: string): Promise<void> {
  await client.query(BEGIN_HELD)
  const state = await takeState(sqlOf(client))
  const isNew = !state.isMoving && state.frontier.size === 0 && state.origin === undefined
  if (!isNew && !(state.isMoving && state.origin === origin))
    throw new WaybillError('exists', `the database has a log already: ${state.origin}`, {
      hint: 'nothing was written; name another database with DATABASE_URL',
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
      throw new WaybillError('ledger-tampered', `an entry from ${from} on has keys of another`, {
        hint: 'waybill log verify says more; nothing was changed in the log that is to be moved',
      })
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

  /** One transaction of the move, which waits for the disk. */
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
  return new WaybillError('conflict', 'another process moves the same log into the database', {
    hint: 'let it end, then see with waybill doctor where the log is',
  })
}
