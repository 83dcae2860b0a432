import type { Worker } from 'node:worker_threads'
import type { PolicyOutcome } from './decide.ts'
import type { Inspected } from './inspect.ts'

/** What a thread decides by, and a question by which the engine gets ready there: a request as JSON, as they all are. */
export interface ThreadJob {
  readonly inspected: Inspected
  readonly first: string
}

/** To start a thread takes as long as some hundred decisions: so many have to get in each other's way before. */
const MANY = 16

/**
 * So many questions go in one message at most, and so many messages are under way: those who were answered go on here
 * while the thread decides for the others. With all of them in one message, each of both would wait for the other.
 */
const TOGETHER = 4
const UNDER_WAY = 2

interface Question {
  readonly request: string
  settle(outcome: PolicyOutcome | undefined): void
  fail(error: Error): void
}

/** What a question becomes of which the thread gives no account. */
const ENDED = 'the thread that asks the policy engine has ended'

/** A thread that decides by one set of policies, started once several questions come at a time. */
export class PolicyThread {
  readonly #program: () => URL
  /** Questions of this turn of the event loop, and how many were not alone in theirs. */
  #together = 0
  #crowded = 0
  #digest: string | undefined
  #worker: Worker | undefined
  #isReady = false
  #isOver = false
  /** What the thread has been asked, by messages, and what goes to it as soon as it has answered one. */
  #underWay: (readonly Question[])[] = []
  #waiting: Question[] = []

  constructor(program: () => URL) {
    this.#program = program
  }

  /** Whether questions about the policies that it was started with go to the thread by now. */
  get isReady(): boolean {
    return this.#isReady && !this.#isOver
  }

  /**
   * Has a request answered that is written as JSON, which is handed over faster than an object; undefined where the caller
   * has to answer it, because no thread can be asked.
   */
  async ask(request: string, inspected: Inspected): Promise<PolicyOutcome | undefined> {
    if (this.#isOver) return undefined
    if (!this.#worker) this.#count({ inspected, first: request })
    if (!this.#isReady || inspected.digest !== this.#digest) return undefined
    return new Promise<PolicyOutcome | undefined>((settle, fail) => {
      this.#waiting.push({ request, settle, fail })
      // To wake a thread takes longer than what it is told: what is asked in one turn goes together.
      if (this.#waiting.length === 1) setImmediate(() => this.#send())
    })
  }

  /** Ends the thread; whoever still waits is told so. */
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
      // Without a thread each question is answered where it is asked.
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

  /** The first message only says that it is ready. */
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

  /** What was handed over is denied, since nobody knows why the thread has ended; what is asked from now on is not. */
  #end(error: Error): void {
    this.#isOver = true
    this.#worker = undefined
    const asked = [...this.#underWay.flat(), ...this.#waiting]
    this.#underWay = []
    this.#waiting = []
    for (const { fail } of asked) fail(error)
  }
}
