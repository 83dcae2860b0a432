import { availableParallelism } from 'node:os'
import { type AuditJob, type Stretch, type StretchReport, stretchAuditor } from './stretch.ts'

/** Below this many entries another thread saves less than it costs. */
const ENOUGH_ENTRIES = 4096
/** Entries taken at a time: those of one file, so that all threads end at nearly the same time. */
const STRETCH = 256
const MOST_THREADS = 8

/** What was found about a stretch, with its place among all. */
export interface NumberedReport {
  readonly number: number
  readonly report: StretchReport
}

/** What a thread has to know to take its part of the entries; plain data. */
export interface AuditShare {
  readonly job: AuditJob
  /** Indices at which a stretch has to end. */
  readonly edges: readonly number[]
  /** The number of the next stretch that nobody has taken. */
  readonly next: Int32Array<SharedArrayBuffer>
}

/** What helps with, and is told of, long work. */
export interface AuditHelp {
  readonly worker?: () => URL
  readonly signal?: AbortSignal
}

/** Verifies one stretch after another that no other thread has taken. */
export function* auditShare({ job, edges, next }: AuditShare): Generator<NumberedReport> {
  const audit = stretchAuditor(job)
  const stretches = stretchesOf(job.until, edges)
  for (;;) {
    const number = Atomics.add(next, 0, 1)
    const stretch = stretches[number]
    if (!stretch) return
    yield { number, report: audit(stretch) }
  }
}

/** Verifies all entries of a log, on all cores when there are many. */
export class EntryAudit {
  readonly #share: AuditShare
  readonly #signal: AbortSignal | undefined
  readonly #waiting = new Map<number, StretchReport>()
  readonly #helpers: readonly Helper[]
  #take: ((report: StretchReport) => void) | undefined
  #taken = 0

  /**
   * Other threads begin at once.
   *
   * @param edges Indices at which a stretch has to end.
   */
  constructor(job: AuditJob, edges: readonly number[], { worker, signal }: AuditHelp) {
    this.#share = { job, edges, next: new Int32Array(new SharedArrayBuffer(4)) }
    this.#signal = signal
    const threads =
      worker && job.until >= ENOUGH_ENTRIES ? Math.min(availableParallelism(), MOST_THREADS) - 1 : 0
    this.#helpers = Array.from({ length: threads }, () =>
      helper(worker?.(), this.#share, told => this.#put(told)),
    )
  }

  /** Lets this thread verify too; `take` gets the reports in the order of the log. */
  async finish(take: (report: StretchReport) => void): Promise<void> {
    this.#take = take
    this.#drain(take)
    for (const told of auditShare(this.#share)) {
      this.#put(told)
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

  #put({ number, report }: NumberedReport): void {
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

function stretchesOf(size: number, edges: readonly number[]): Stretch[] {
  const ends = [...new Set(edges)].filter(edge => edge > 0 && edge < size).sort((a, b) => a - b)
  const stretches: Stretch[] = []
  let from = 0
  for (const end of [...ends, size])
    while (from < end) {
      // From one group of entries to another, so that no file is read more often than it must be.
      const to = Math.min(end, (Math.floor(from / STRETCH) + 1) * STRETCH)
      stretches.push({ from, to })
      from = to
    }
  return stretches
}

/** Another thread that verifies. */
interface Helper {
  /** When it has told all that it found. */
  readonly ended: Promise<void>
  stop(): void
}

function helper(
  program: URL | undefined,
  share: AuditShare,
  put: (told: NumberedReport) => void,
): Helper {
  if (!program) return { ended: Promise.resolve(), stop: () => {} }
  // Threads of ours fill the cores: parts of a collection handed to others would wait for one.
  process.getBuiltinModule('node:v8').setFlagsFromString('--no-parallel-scavenge')
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const worker = new Worker(program, { workerData: share })
  const ended = new Promise<void>((resolve, reject) => {
    worker.on('message', (told: NumberedReport | null) => (told ? put(told) : resolve()))
    worker.on('error', reject)
  })
  // What goes wrong there is told when its end is awaited, not before.
  ended.catch(() => {})
  return { ended, stop: () => void worker.terminate() }
}
