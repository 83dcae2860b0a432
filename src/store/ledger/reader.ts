import {
  encodeBundle,
  HASH_SIZE,
  keyHash,
  type LastClock,
  type LogReader,
  openSigned,
  type SignedCheckpoint,
  type Tile,
  tampered,
  tilePath,
} from '../../ledger/index.ts'
import { LedgerDatabase, type Sql } from './database.ts'
import type { PostgresReaderOptions } from './options.ts'
import { CONTENT, FIND, NOTE, STATE, stateOf, tileStatement } from './statements.ts'

/** A log in a database, for reading; its connections close when idle or on close. */
export interface PostgresLogReader extends LogReader {
  close(): Promise<void>
}

/** Opens the log of a database for reading; by default only what a published checkpoint covers. */
export function openPostgresLogReader(
  url: string,
  options: PostgresReaderOptions,
): PostgresLogReader {
  return new DatabaseReader(new LedgerDatabase(url), options)
}

const NEVER = Number.MAX_SAFE_INTEGER

/** Reads the rows of a log. */
export class DatabaseReader implements PostgresLogReader {
  readonly origin: string
  readonly #database: LedgerDatabase
  readonly #options: PostgresReaderOptions
  #last: SignedCheckpoint | undefined

  constructor(database: LedgerDatabase, options: PostgresReaderOptions) {
    this.origin = options.origin
    this.#database = database
    this.#options = options
  }

  async checkpoint(): Promise<SignedCheckpoint | undefined> {
    const [row] = await this.#database.read(NOTE)
    const last = this.#last
    if (typeof row?.note !== 'string') {
      if (last) throw tampered('its checkpoint is gone')
      return undefined
    }
    const signed = await openSigned(row.note, 'its checkpoint', this.#options, last)
    // Concurrent reads may be answered out of order.
    const known = this.#last?.checkpoint.size ?? 0
    if (signed.checkpoint.size < (last?.checkpoint.size ?? 0))
      throw tampered('its checkpoint shrank')
    if (signed.checkpoint.size >= known) this.#last = signed
    return signed
  }

  tile(tile: Tile): Promise<Uint8Array> {
    return tileIn(tile, { rows: (statement, values) => this.#database.read(statement, values) })
  }

  async content(index: number): Promise<string | undefined> {
    return (await this.#covers(index)) ? this.contentAt(index) : undefined
  }

  async #covers(index: number): Promise<boolean> {
    if (!Number.isSafeInteger(index) || index < 0) return false
    if (this.#options.isPromisedRead) return true
    // A log never shrinks: read the checkpoint again only beyond the last one.
    return index < (this.#last?.checkpoint.size ?? 0) || index < (await this.size())
  }

  /** Returns the content of an entry, published or not. */
  async contentAt(index: number): Promise<string | undefined> {
    const [row] = await this.#database.read(CONTENT, [index])
    return row && String(row.content)
  }

  async find(key: string): Promise<readonly number[]> {
    return this.findBelow(key, this.#options.isPromisedRead ? NEVER : await this.size())
  }

  /** Returns the entries before an index that have a key, published or not. */
  async findBelow(key: string, end: number): Promise<readonly number[]> {
    const rows = await this.#database.read(FIND, [keyHash(key), end])
    return rows.map(({ index }) => Number(index))
  }

  async size(): Promise<number> {
    return (await this.checkpoint())?.checkpoint.size ?? 0
  }

  async lastClock(): Promise<LastClock | undefined> {
    const [row] = await this.#database.read(STATE)
    return stateOf(row).clock
  }

  close(): Promise<void> {
    return this.#database.close()
  }
}

/** Reads a tile; throws when it is incomplete. */
export async function tileIn(tile: Tile, sql: Sql): Promise<Uint8Array> {
  const rows = await sql.rows(...tileStatement(tile))
  if (tile.level === 'entries') {
    if (rows.length !== tile.width) throw tampered(`${tilePath(tile)} is not complete`)
    return encodeBundle(rows.map(({ leaf }) => leaf as Uint8Array))
  }
  const hashes = rows[0]?.hashes
  if (!(hashes instanceof Uint8Array) || hashes.length !== tile.width * HASH_SIZE)
    throw tampered(`${tilePath(tile)} is not complete`)
  return hashes
}
