import { WaybillError } from '../../error.ts'
import {
  type Draft,
  type DraftMaker,
  type LastClock,
  type Log,
  type NoteSignature,
  openSigned,
  type Receipt,
  readClocks,
  refuseBadDraft,
  refuseBadLine,
  type SignedCheckpoint,
  type Taken,
  type Tile,
  withCosignatures,
} from '../../ledger/index.ts'
import type { Tx } from '../tx.ts'
import { Appender } from './appender.ts'
import { answersOf, refuseOtherOrigin, send, toBeSent } from './appending.ts'
import { LedgerDatabase } from './database.ts'
import { KnownKeys, sortGroup } from './group.ts'
import { type OpenedState, openState } from './opening.ts'
import type { PostgresLogOptions } from './options.ts'
import { Publisher } from './publisher.ts'
import { DatabaseReader } from './reader.ts'
import { COSIGN, ERASE, NOTE, STATE, stateOf, takeState } from './statements.ts'
import { sqlInTransaction } from './transaction.ts'

/** A log in a database, with concurrent writers. */
export interface PostgresLog extends Log {
  /**
   * Appends entries in the transaction that they describe; the receipts are valid once it commits. This blocks other
   * appends until then, so it must be the last step of the transaction.
   */
  appendIn(tx: Tx, drafts: readonly (Draft | DraftMaker)[]): Promise<readonly (Receipt | Taken)[]>
}

/** Opens the log of a migrated database for writing, and publishes entries that a killed process left. */
export async function openPostgresLog(
  url: string,
  options: PostgresLogOptions,
): Promise<PostgresLog> {
  const database = new LedgerDatabase(url)
  try {
    const reader = new DatabaseReader(database, options)
    return new DatabaseLog(database, options, reader, await openState(database, reader, options))
  } catch (error) {
    await database.close()
    throw error
  }
}

const NEVER = Number.MAX_SAFE_INTEGER

class DatabaseLog implements PostgresLog {
  readonly origin: string
  readonly #database: LedgerDatabase
  readonly #options: PostgresLogOptions
  readonly #reader: DatabaseReader
  readonly #appender: Appender
  readonly #publisher: Publisher
  readonly #pending = new Set<Promise<unknown>>()
  #last: number
  #end: Promise<void> | undefined

  constructor(
    database: LedgerDatabase,
    options: PostgresLogOptions,
    reader: DatabaseReader,
    { state, isPublished }: OpenedState,
  ) {
    this.origin = options.origin
    this.#database = database
    this.#options = options
    this.#reader = reader
    this.#publisher = new Publisher(database, options)
    this.#last = state.clock?.time ?? 0
    const appending = {
      options,
      clock: () => this.#clock(),
      heard: (time: number) => this.#hear(time),
      appended: () => this.#publisher.soon(),
    }
    this.#appender = new Appender(database, appending, state.frontier.size)
    if (!isPublished) this.#publisher.soon()
  }

  async append(draft: Draft | DraftMaker): Promise<Receipt | Taken> {
    this.#refuseClosed()
    const answer = this.#appender.append(time => made(draft, time))
    this.#pending.add(answer)
    try {
      return await answer
    } finally {
      this.#pending.delete(answer)
    }
  }

  async appendIn(
    tx: Tx,
    drafts: readonly (Draft | DraftMaker)[],
  ): Promise<readonly (Receipt | Taken)[]> {
    this.#refuseClosed()
    const sql = await sqlInTransaction(tx)
    const { origin: found, clock: last } = await takeState(sql)
    refuseOtherOrigin(found, this.origin)
    this.#hear(last?.time ?? 0)
    const clock = this.#clock()
    const group = drafts.map(draft => made(draft, clock.time))
    const known = new KnownKeys()
    // The publisher waits until the transaction ends.
    this.#publisher.soon()
    for (;;) {
      const sent = toBeSent(sortGroup(group, known), clock)
      const outcome = await send(sql, this.origin, sent)
      if ('first' in outcome) return answersOf(sent, outcome.first, this.#options)
      if (!('conflicts' in outcome))
        throw new WaybillError('internal', 'the time of the log changed while it was locked')
      known.learn(outcome.conflicts)
    }
  }

  #clock(): LastClock {
    const { now, wall = now } = this.#options
    return { ...readClocks(), time: this.time(now()), wall: wall() }
  }

  #hear(time: number): void {
    this.#last = Math.max(this.#last, time)
  }

  async covered(): Promise<SignedCheckpoint> {
    await Promise.allSettled(this.#pending)
    return await this.#publisher.publish()
  }

  async erase(index: number, tombstone: string): Promise<void> {
    this.#refuseClosed()
    refuseBadText(tombstone)
    const isPlace = Number.isSafeInteger(index) && index >= 0
    const [row] = isPlace ? await this.#database.asOwner(ERASE, [index, tombstone]) : []
    if (row?.erased === true) return
    const [state] = await this.#database.read(STATE)
    const { size } = stateOf(state).frontier
    throw new WaybillError('not-found', `the ledger has no entry ${index}: it has ${size}`)
  }

  async cosign(
    text: string,
    signatures: readonly NoteSignature[],
  ): Promise<SignedCheckpoint | undefined> {
    this.#refuseClosed()
    for (;;) {
      const [row] = await this.#database.read(NOTE)
      const published = typeof row?.note === 'string' ? row.note : ''
      const cosigned = { text, signatures }
      const note = withCosignatures(published, this.#options.checkpointVerifier, cosigned)
      if (note === undefined) return undefined
      const [changed] = await this.#database.read(COSIGN, [published, note])
      // The checkpoint or its cosignatures changed meanwhile: try again.
      if (changed?.cosigned === true) return openSigned(note, 'its checkpoint', this.#options)
    }
  }

  time(now: number): number {
    this.#last = Math.max(this.#last, Math.floor(now))
    return this.#last
  }

  lastClock(): Promise<LastClock | undefined> {
    return this.#reader.lastClock()
  }

  checkpoint(): Promise<SignedCheckpoint | undefined> {
    return this.#reader.checkpoint()
  }

  tile(tile: Tile): Promise<Uint8Array> {
    return this.#reader.tile(tile)
  }

  async content(index: number): Promise<string | undefined> {
    if (!Number.isSafeInteger(index) || index < 0) return undefined
    return this.#reader.contentAt(index)
  }

  find(key: string): Promise<readonly number[]> {
    return this.#reader.findBelow(key, NEVER)
  }

  size(): Promise<number> {
    return this.#reader.size()
  }

  async close(): Promise<void> {
    this.#end ??= this.#leave()
    await this.#end
  }

  async #leave(): Promise<void> {
    try {
      await Promise.allSettled(this.#pending)
      await this.#publisher.end()
    } finally {
      await this.#database.close()
    }
  }

  #refuseClosed(): void {
    if (this.#end !== undefined) throw new WaybillError('internal', 'the ledger was closed')
  }
}

function made(draft: Draft | DraftMaker, time: number): Draft {
  const one = typeof draft === 'function' ? draft(time) : draft
  refuseBadDraft(one)
  refuseBadText(one.content)
  return one
}

/** PostgreSQL text cannot contain null characters. */
function refuseBadText(text: string): void {
  refuseBadLine(text)
  if (text.includes('\0'))
    throw new WaybillError('internal', 'a log in a database cannot contain null characters')
}
