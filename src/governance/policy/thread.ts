import type { Worker } from 'node:worker_threads'
import type { PolicyOutcome } from './decide.ts'
import type { Inspected } from './inspect.ts'

/** The policies of a worker thread, and a warm-up request as JSON, the form of all requests. */
export interface ThreadJob {
  readonly inspected: Inspected
  readonly first: string
}

/** Starting a thread costs as much as some hundred decisions: wait for that many concurrent ones. */
const MANY = 16

/**
 * Limits on requests per message and messages in flight: callers process answers while the thread decides further
 * requests. With all requests in one message, both would wait for each other.
 */
const TOGETHER = 4
const UNDER_WAY = 2

interface Question {
  readonly request: string
  settle(outcome: PolicyOutcome | undefined): void
  fail(error: Error): void
}

/** The error of a request that the thread did not answer. */
const ENDED = 'the policy worker thread has exited'

/** A thread that decides by one set of policies, started once requests become concurrent. */
export class PolicyThread {
  readonly #program: () => URL
  /** Requests in this turn of the event loop, and how many were concurrent. */
  #together = 0
  #crowded = 0
  #digest: string | undefined
  #worker: Worker | undefined
  #isReady = false
  #isOver = false
  /** Requests sent to the thread, by message, and those queued until it answers. */
  #underWay: (readonly Question[])[] = []
  #waiting: Question[] = []

  constructor(program: () => URL) {
    this.#program = program
  }

  /** Whether the thread answers requests about its policies now. */
  get isReady(): boolean {
    return this.#isReady && !this.#isOver
  }

  /**
   * Decides on a request as JSON, which transfers faster than an object; returns undefined if the caller has to decide
   * because no thread is available.
   */
  async ask(request: string, inspected: Inspected): Promise<PolicyOutcome | undefined> {
    if (this.#isOver) return undefined
    if (!this.#worker) this.#count({ inspected, first: request })
    if (!this.#isReady || inspected.digest !== this.#digest) return undefined
    return new Promise<PolicyOutcome | undefined>((settle, fail) => {
      this.#waiting.push({ request, settle, fail })
      // Waking a thread costs more than a decision: batch the requests of one turn.
      if (this.#waiting.length === 1) setImmediate(() => this.#send())
    })
  }

  /** Stops the thread; pending requests fail. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#end(new Error(ENDED))
    await worker?.terminate()
  }

  #count(job: ThreadJob): void {
    if (this.#together === 0)
      setImmediate(() => {
        this.#together = 0
      })
    this.#together++
    if (this.#together > 1) this.#crowded++
    if (this.#crowded < MANY) return
    try {
      this.#start(job)
    } catch {
      // Without a thread the caller decides.
      this.#isOver = true
    }
  }

  #start(job: ThreadJob): void {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const worker = new Worker(this.#program(), { workerData: job })
    worker.unref()
    this.#worker = worker
    this.#digest = job.inspected.digest
    const end = (cause: unknown) => this.#end(new Error(ENDED, { cause }))
    worker
      .on('message', (outcomes: readonly PolicyOutcome[]) => this.#take(outcomes))
      .on('error', end)
      .on('messageerror', end)
      .on('exit', end)
  }

  /** The first message only signals that the thread is ready. */
  #take(outcomes: readonly PolicyOutcome[]): void {
    if (!this.#isReady) {
      this.#isReady = true
      return
    }
    const asked = this.#underWay.shift() ?? []
    if (this.#underWay.length === 0) this.#worker?.unref()
    this.#send()
    for (const [i, { settle, fail }] of asked.entries()) {
      const outcome = outcomes[i]
      if (outcome) settle(outcome)
      else fail(new Error(ENDED))
    }
  }

  #send(): void {
    while (this.#waiting.length > 0 && this.#underWay.length < UNDER_WAY) {
      const asked = this.#waiting.splice(0, TOGETHER)
      this.#worker?.postMessage(asked.map(({ request }) => request))
      this.#worker?.ref()
      this.#underWay.push(asked)
    }
  }

  /** Denies pending requests, since the cause is unknown; later requests are decided by the caller. */
  #end(error: Error): void {
    this.#isOver = true
    this.#worker = undefined
    const asked = [...this.#underWay.flat(), ...this.#waiting]
    this.#underWay = []
    this.#waiting = []
    for (const { fail } of asked) fail(error)
  }
}
