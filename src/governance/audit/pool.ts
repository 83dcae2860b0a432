import { availableParallelism } from 'node:os'
import { type AuditJob, type Stretch, type StretchReport, stretchAuditor } from './stretch.ts'

/** Below this many entries another thread saves less than it costs. */
const ENOUGH_ENTRIES = 4096
/** Entries handed out at a time: enough to make messages cheap, few enough to be held. */
const STRETCH = 1024
/** Stretches that another thread has at hand, so that it need not wait for this one to finish the tree or a stretch. */
const AHEAD = 4
const MOST_THREADS = 8

/** A stretch with its place among all. */
export interface Numbered {
  readonly number: number
  readonly stretch: Stretch
}

/** What helps with, and is told of, long work. */
export interface AuditHelp {
  readonly worker?: () => URL
  readonly signal?: AbortSignal
}

/** Verifies all entries of a log, on all cores when there are many. */
export class EntryAudit {
  readonly #job: AuditJob
  readonly #signal: AbortSignal | undefined
  readonly #plan: Generator<Stretch, undefined>
  readonly #waiting = new Map<number, StretchReport>()
  readonly #helpers: readonly Helper[]
  #take: ((report: StretchReport) => void) | undefined
  #handed = 0
  #taken = 0

  /**
   * Other threads begin at once.
   *
   * @param edges Indices at which a stretch has to end.
   */
  constructor(job: AuditJob, edges: readonly number[], { worker, signal }: AuditHelp) {
    this.#job = job
    this.#signal = signal
    this.#plan = stretchesOf(job.size, edges)
    const threads =
      worker && job.size >= ENOUGH_ENTRIES ? Math.min(availableParallelism(), MOST_THREADS) - 1 : 0
    this.#helpers = Array.from({ length: threads }, () =>
      helper(
        worker?.(),
        job,
        () => this.#next(),
        (number, report) => this.#put(number, report),
      ),
    )
  }

  /** Lets this thread verify too; `take` gets the reports in the order of the log. */
  async finish(take: (report: StretchReport) => void): Promise<void> {
    this.#take = take
    this.#drain(take)
    const audit = stretchAuditor(this.#job)
    for (let one = this.#next(); one; one = this.#next()) {
      this.#put(one.number, audit(one.stretch))
      this.#signal?.throwIfAborted()
      // Lets the messages of the others in.
      await new Promise(resolve => setImmediate(resolve))
    }
    await Promise.all(this.#helpers.map(({ ended }) => ended))
    this.#signal?.throwIfAborted()
  }

  /** Ends the other threads, whatever they are at. */
  stop(): void {
    for (const one of this.#helpers) one.stop()
  }

  #next(): Numbered | undefined {
    const { value: stretch } = this.#signal?.aborted ? { value: undefined } : this.#plan.next()
    return stretch && { number: this.#handed++, stretch }
  }

  #put(number: number, report: StretchReport): void {
    this.#waiting.set(number, report)
    if (this.#take) this.#drain(this.#take)
  }

  #drain(take: (report: StretchReport) => void): void {
    for (let next = this.#waiting.get(this.#taken); next; next = this.#waiting.get(this.#taken)) {
      this.#waiting.delete(this.#taken++)
      take(next)
    }
  }
}

function* stretchesOf(size: number, edges: readonly number[]): Generator<Stretch, undefined> {
  const ends = [...new Set(edges)].filter(edge => edge > 0 && edge < size).sort((a, b) => a - b)
  let at = 0
  for (const end of [...ends, size])
    while (at < end) {
      // From one group of entries to another, so that no file is read more often than it must be.
      const to = Math.min(end, (Math.floor(at / STRETCH) + 1) * STRETCH)
      yield { from: at, to }
      at = to
    }
  return undefined
}

/** Another thread that verifies. */
interface Helper {
  readonly ended: Promise<void>
  stop(): void
}

function helper(
  program: URL | undefined,
  job: AuditJob,
  next: () => Numbered | undefined,
  put: (number: number, report: StretchReport) => void,
): Helper {
  if (!program) return { ended: Promise.resolve(), stop: () => {} }
  // Threads of ours fill the cores: parts of a collection handed to others would wait for one.
  process.getBuiltinModule('node:v8').setFlagsFromString('--no-parallel-scavenge')
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const worker = new Worker(program, { workerData: job })
  const stop = () => void worker.terminate()
  const ended = new Promise<void>((resolve, reject) => {
    let open = 0
    const hand = () => {
      const one = next()
      if (one) worker.postMessage(one)
      if (one) open++
      if (open > 0) return
      resolve()
      stop()
    }
    worker.on('message', ({ number, report }: { number: number; report: StretchReport }) => {
      open--
      put(number, report)
      hand()
    })
    worker.on('error', reject)
    for (let i = 0; i < AHEAD; i++) hand()
  })
  // What goes wrong there is told when its end is awaited, not before.
  ended.catch(() => {})
  return { ended, stop }
}
