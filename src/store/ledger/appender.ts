import type { PoolClient } from 'pg'
import {
  AppendQueue,
  type DraftMaker,
  type LastClock,
  type Ready,
  type Receipt,
  type Taken,
  TurnOfEvents,
} from '../../ledger/index.ts'
import { asWaybillError } from '../faults.ts'
import { answersOf, placeOf, refuseOtherOrigin, type Sent, send, toBeSent } from './appending.ts'
import { isPassing, type LedgerDatabase, Pauses, sqlOn } from './database.ts'
import { KnownKeys, sortGroup } from './group.ts'
import type { PostgresLogOptions } from './options.ts'
import { BEGIN_HELD, FLUSH, type LogState, type Outcome, SOON, stateOf } from './statements.ts'

/** What the appender needs from its log. */
interface Appending {
  readonly options: PostgresLogOptions
  /** The clocks, never before the last reported time. */
  clock(): LastClock
  /** Reports the time of an append. */
  heard(time: number): void
  /** Called after every append. */
  appended(): void
}

/** A group in progress, which may be lost. */
interface InHand {
  readonly batch: readonly Ready[]
  /** Undefined until sent. */
  sent: Sent | undefined
}

/**
 * Appends drafts in groups: requests that arrive while one group is written form the next. A group is sent in one round
 * trip. The state row serializes all processes and is released before the group is on disk, which is awaited last. If
 * the connection drops, the appender checks whether the group was stored before sending it again.
 */
export class Appender {
  readonly #database: LedgerDatabase
  readonly #log: Appending
  readonly #queue = new AppendQueue()
  readonly #others = new TurnOfEvents()
  #inHand: InHand | undefined
  /** The end of our last append, or of the log when it was opened. */
  #end: number
  /** Whether others append too; then the lock is taken before a group is built, so that its time is current. */
  #isContended = false
  #pauses = new Pauses()
  #loop: Promise<void> | undefined

  constructor(database: LedgerDatabase, log: Appending, end: number) {
    this.#database = database
    this.#log = log
    this.#end = end
  }

  append(make: DraftMaker): Promise<Receipt | Taken> {
    return new Promise((resolve, reject) => {
      this.#queue.add(make, { resolve, reject }, undefined)
      this.#loop ??= this.#others.goOn().then(() => this.#work())
    })
  }

  async #work(): Promise<void> {
    while (this.#queue.length > 0 || this.#inHand) {
      try {
        await this.#database.on(client => this.#turn(client))
        this.#pauses = new Pauses()
      } catch (error) {
        if (!isPassing(error)) this.#fail(error, this.#inHand ? [] : this.#queue.takeAll())
        else if (!(await this.#pauses.next())) this.#fail(error, this.#queue.takeAll())
      }
      await this.#others.goOn()
    }
    this.#loop = undefined
  }

  /** Rejects the group in progress, and the given waiting requests. */
  #fail(cause: unknown, others: ReturnType<AppendQueue['takeAll']>): void {
    const error = asWaybillError(cause)
    const batch = this.#inHand?.batch ?? []
    this.#pauses = new Pauses()
    this.#inHand = undefined
    for (const { reject } of [...batch, ...others]) reject(error)
  }

  /** Appends one group, after resolving the one before. */
  async #turn(client: PoolClient): Promise<void> {
    const known = new KnownKeys()
    for (;;) {
      const isHeld = this.#inHand !== undefined || this.#isContended
      if (isHeld) await this.#hold(client)
      const clock = this.#log.clock()
      const batch = this.#queue.takeBatch(() => clock.time)
      const inHand: InHand = { batch, sent: undefined }
      this.#inHand = inHand
      const drafts = batch.map(({ draft }) => draft)
      inHand.sent = toBeSent(sortGroup(drafts, known), clock)
      const outcome = await this.#send(client, inHand.sent, isHeld)
      if ('first' in outcome) {
        this.#answer(inHand, outcome.first)
        return
      }
      this.#inHand = undefined
      this.#queue.putBack(batch)
      if ('conflicts' in outcome) known.learn(outcome.conflicts)
      else {
        this.#log.heard(outcome.earlierThan)
        this.#isContended = true
      }
    }
  }

  /** Sends a group with its commit and waits for the disk. */
  async #send(client: PoolClient, sent: Sent, isHeld: boolean): Promise<Outcome> {
    const steps = [
      client.query(isHeld ? SOON : `begin; ${SOON}`),
      send(sqlOn(client), this.#log.options.origin, sent),
      client.query('commit'),
      client.query(FLUSH),
    ] as const
    const [begun, appended, ...ended] = await Promise.allSettled(steps)
    // Report the first failure.
    if (begun.status === 'rejected') throw begun.reason
    if (appended.status === 'rejected') throw appended.reason
    for (const step of ended) if (step.status === 'rejected') throw step.reason
    return appended.value
  }

  /** Locks the state row and resolves a group that may have been lost. */
  async #hold(client: PoolClient): Promise<void> {
    const state = await begin(client)
    refuseOtherOrigin(state.origin, this.#log.options.origin)
    if (state.clock) this.#log.heard(state.clock.time)
    this.#isContended = state.frontier.size > this.#end
    if (!this.#inHand) return
    const { sent, batch } = this.#inHand
    const isSent = sent !== undefined && sent.accepted.length > 0
    const first = isSent ? await placeOf(sqlOn(client), sent, this.#end) : undefined
    if (first !== undefined) {
      await client.query(FLUSH)
      this.#answer(this.#inHand, first)
      return
    }
    this.#inHand = undefined
    this.#queue.putBack(batch)
  }

  /** Answers the requests of a group that is on disk. */
  #answer({ batch, sent }: InHand, first: number): void {
    this.#inHand = undefined
    if (!sent || batch.length === 0) return
    try {
      const answers = answersOf(sent, first, this.#log.options)
      if (sent.accepted.length > 0) {
        this.#end = Math.max(this.#end, first + sent.accepted.length)
        this.#log.appended()
      }
      for (const [i, answer] of answers.entries()) batch[i]?.resolve(answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}

async function begin(client: PoolClient): Promise<LogState> {
  const results = (await client.query(BEGIN_HELD)) as unknown as { rows: never[] }[]
  return stateOf(results.at(-1)?.rows[0])
}
