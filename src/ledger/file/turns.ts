import type { Draft, DraftMaker, LastClock, SignedCheckpoint, Taken } from '../log.ts'
import type { Receipt } from '../receipt.ts'
import { AppendQueue, type Ready } from './append-queue.ts'
import { readClocks } from './clocks.ts'
import { Integrator } from './integrator.ts'
import type { FileLogOptions } from './options.ts'
import type { Places } from './paths.ts'
import type { Published } from './published.ts'
import { Session } from './session.ts'
import { readClock } from './tree.ts'
import { TurnOfEvents } from './turn-of-events.ts'

/** The delay of integration in milliseconds; a checkpoint then covers an entry within a second. */
const INTEGRATION_DELAY = 400
/** The idle time after which the lock is released, in milliseconds. */
const IDLE = 50
/** How often to check whether others want the lock, and how long to keep it at least while busy, in milliseconds. */
const LOOK = 5
const LEAST_TURN = 25
/** The number of entries waiting for integration at which appends wait too. */
const MOST_BACKLOG = 200_000

interface Waiter {
  /** The number of appends requested before. */
  readonly upTo: number
  readonly resolve: (signed: SignedCheckpoint) => void
  readonly reject: (error: unknown) => void
}

interface Task {
  run(session: Session): Promise<void>
  reject(error: unknown): void
}

/**
 * Runs write operations one at a time: a group commit, then integration, then yielding to others.
 *
 * Requests made while the disk works join the next group.
 */
export class Turns {
  readonly #places: Places
  readonly #options: FileLogOptions
  readonly #integrator: Integrator
  readonly #others = new TurnOfEvents()
  readonly #queue = new AppendQueue()
  #waiters: Waiter[] = []
  #tasks: Task[] = []
  #appended = 0
  #answered = 0
  #isUnpublished = false
  #session: Session | undefined
  #known: Published | undefined
  #loop: Promise<void> | undefined
  #integration: Promise<void> | undefined
  #isLeaving = false
  #idle: NodeJS.Timeout | undefined
  #looked = 0
  #last = 0

  constructor(places: Places, options: FileLogOptions) {
    this.#places = places
    this.#options = options
    this.#integrator = new Integrator(options.worker)
  }

  /** Whether all requests are done and published, and the lock is released. */
  get isResting(): boolean {
    return !this.#isUnpublished && this.#queue.length === 0 && this.#session === undefined
  }

  append(make: DraftMaker): Promise<Receipt | Taken> {
    return new Promise((resolve, reject) => {
      this.#queue.add(make, { resolve, reject }, this.#session && this.#now())
      this.#appended++
      this.#start()
    })
  }

  covered(): Promise<SignedCheckpoint> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ upTo: this.#appended, resolve, reject })
      this.#start()
    })
  }

  /** Runs an operation exclusively. */
  run(work: (session: Session) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#tasks.push({ run: session => work(session).then(resolve), reject })
      this.#start()
    })
  }

  /** Gateway time. While others may write, reads their last entry. */
  time(now: number): number {
    if (!this.#session) this.#last = Math.max(this.#last, readClock(this.#places)?.time ?? 0)
    this.#last = Math.max(this.#last, Math.floor(now))
    return this.#last
  }

  /** The entries with a key; undefined while others may write. */
  find(key: string): readonly number[] | undefined {
    return this.#session?.find(key)
  }

  /** An entry not yet integrated. */
  draft(index: number): Draft | undefined {
    return this.#session?.draft(index)
  }

  /** Publishes what is left, and releases the lock. */
  async end(): Promise<void> {
    try {
      if (this.#isUnpublished || this.#queue.length > 0) await this.covered()
    } finally {
      this.#isLeaving = true
      this.#start()
      while (this.#loop !== undefined) await this.#loop
      await this.#integrator.close()
    }
  }

  #hasWork(): boolean {
    if (this.#queue.length > 0 || this.#tasks.length > 0) return true
    if (this.#waiters.length > 0 && this.#integration === undefined) return true
    return this.#isLeaving && this.#session !== undefined
  }

  /** Starts working, if idle, after concurrent callers have queued their appends. */
  #start(): void {
    clearInterval(this.#idle)
    this.#loop ??= this.#others.goOn().then(() => this.#work())
  }

  async #work(): Promise<void> {
    while (this.#hasWork()) {
      try {
        if (!this.#session) {
          this.#session = await this.#open()
          this.#answered += this.#queue.make(() => this.#now())
        }
      } catch (error) {
        this.#fail(error)
        break
      }
      await this.#turn(this.#session)
      await this.#others.goOn()
    }
    this.#loop = undefined
    if (this.#session) this.#waitIdly(this.#session)
    else this.#isLeaving = false
  }

  async #open(): Promise<Session> {
    const held = await this.#options.lock.hold()
    try {
      const session = await Session.open({
        places: this.#places,
        options: this.#options,
        integrator: this.#integrator,
        held,
        known: this.#known,
      })
      this.#last = Math.max(this.#last, session.clock?.time ?? 0)
      this.#isUnpublished = false
      return session
    } catch (error) {
      held.release()
      throw error
    }
  }

  /** Fails all pending requests. */
  #fail(error: unknown): void {
    this.#answered += this.#queue.length
    const waiting = [...this.#queue.takeAll(), ...this.#tasks, ...this.#waiters]
    this.#tasks = []
    this.#waiters = []
    for (const { reject } of waiting) reject(error)
  }

  async #turn(session: Session): Promise<void> {
    if (this.#queue.length > 0) await this.#commit(session, this.#queue.takeBatch())
    if (this.#tasks.length > 0) await this.#runTasks(session)
    if (this.#integration === undefined && this.#isIntegrationDue(session))
      this.#integration = this.#integrate(session)
    if (session.backlog > MOST_BACKLOG) await this.#integration
    if (this.#isLeaving || this.#isWanted(session)) await this.#leave(session)
  }

  #now(): number {
    return this.time(this.#options.now())
  }

  #isIntegrationDue(session: Session): boolean {
    const isAsked = this.#waiters.some(({ upTo }) => upTo <= this.#answered)
    return isAsked || session.waiting > INTEGRATION_DELAY
  }

  async #commit(session: Session, batch: readonly Ready[]): Promise<void> {
    try {
      const drafts = batch.map(({ draft }) => draft)
      const answers = await session.commit(drafts, this.#clock())
      this.#isUnpublished = true
      for (const [i, answer] of answers.entries()) batch[i]?.resolve(answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    this.#answered += batch.length
  }

  #clock(): LastClock {
    const { now, wall = now } = this.#options
    return { ...readClocks(), time: this.#now(), wall: wall() }
  }

  async #runTasks(session: Session): Promise<void> {
    await this.#integration
    const tasks = this.#tasks
    this.#tasks = []
    for (const task of tasks) await task.run(session).catch(error => task.reject(error))
  }

  async #integrate(session: Session): Promise<void> {
    const isAsked = ({ upTo }: Waiter) => upTo <= this.#answered
    const waiters = this.#waiters.filter(isAsked)
    this.#waiters = this.#waiters.filter(waiter => !isAsked(waiter))
    try {
      const signed = await session.integrate()
      this.#isUnpublished = session.backlog > 0
      for (const { resolve } of waiters) resolve(signed)
    } catch (error) {
      session.postpone(INTEGRATION_DELAY)
      for (const { reject } of waiters) reject(error)
    } finally {
      this.#integration = undefined
      if (this.#waiters.length > 0) this.#start()
    }
  }

  #isWanted({ since, held }: Session): boolean {
    const now = performance.now()
    if (now - since < LEAST_TURN || now - this.#looked < LOOK) return false
    this.#looked = now
    return held.isWanted()
  }

  /** Releases the lock. What could not be integrated is left to the next writer. */
  async #leave(session: Session): Promise<void> {
    await this.#integration
    if (this.#isUnpublished) await this.#integrate(session)
    this.#known = session.published
    this.#session = undefined
    this.#queue.unmake()
    this.#isLeaving = false
    session.close()
    session.held.release()
    // Waiting processes poll for the lock.
    if (this.#queue.length > 0) await new Promise(resolve => setTimeout(resolve, LOOK))
  }

  #waitIdly(session: Session): void {
    const since = performance.now()
    clearInterval(this.#idle)
    this.#idle = setInterval(() => {
      if (performance.now() - since < IDLE && !session.held.isWanted()) return
      this.#isLeaving = true
      this.#start()
    }, LOOK)
  }
}
