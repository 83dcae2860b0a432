import { availableParallelism } from 'node:os'
import { type AuditJob, type Stretch, type StretchReport, stretchAuditor } from './stretch.ts'

/** Below this many entries, starting a thread costs more than it saves. */
const ENOUGH_ENTRIES = 4096
/** Entries per stretch: one file, small enough that all threads end at about the same time. */
const STRETCH = 256
const MOST_THREADS = 8

/** The report on a stretch, with its position among all. */
export interface NumberedReport {
  readonly number: number
  readonly report: StretchReport
}

/** Input of a thread that verifies a share of the entries; plain data. */
export interface AuditShare {
  readonly job: AuditJob
  /** Indices at which a stretch must end. */
  readonly edges: readonly number[]
  /** The number of the next free stretch. */
  readonly next: Int32Array<SharedArrayBuffer>
}

/** Worker threads and the abort signal of a long audit. */
export interface AuditHelp {
  readonly worker?: () => URL
  readonly signal?: AbortSignal
}

/** Verifies free stretches, one after another. */
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

/** Verifies all entries of a log, with more threads if there are many. */
export class EntryAudit {
  readonly #share: AuditShare
  readonly #signal: AbortSignal | undefined
  readonly #waiting = new Map<number, StretchReport>()
  readonly #helpers: readonly Helper[]
  #take: ((report: StretchReport) => void) | undefined
  #taken = 0

  /**
   * Starts the other threads.
   *
   * @param edges Indices at which a stretch must end.
   */
  constructor(job: AuditJob, edges: readonly number[], { worker, signal }: AuditHelp) {
    this.#share = { job, edges, next: new Int32Array(new SharedArrayBuffer(4)) }
    this.#signal = signal
    const threads =
      worker && job.until >= ENOUGH_ENTRIES ? Math.min(availableParallelism(), MOST_THREADS) - 1 : 0
    this.#helpers = Array.from({ length: threads }, () =>
      helper(worker?.(), this.#share, report => this.#put(report)),
    )
  }

  /** Verifies on this thread too; passes the reports to `take` in log order. */
  async finish(take: (report: StretchReport) => void): Promise<void> {
    this.#take = take
    this.#drain(take)
    for (const report of auditShare(this.#share)) {
      this.#put(report)
      this.#signal?.throwIfAborted()
      // Lets messages from the other threads arrive.
      await new Promise(resolve => setImmediate(resolve))
    }
    await Promise.all(this.#helpers.map(({ ended }) => ended))
    this.#signal?.throwIfAborted()
  }

  /** Terminates the other threads. */
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
      // Ends at the border of a file, so that each file is read once where possible.
      const to = Math.min(end, (Math.floor(from / STRETCH) + 1) * STRETCH)
      stretches.push({ from, to })
      from = to
    }
  return stretches
}

/** A worker thread that verifies entries. */
interface Helper {
  /** Resolves after its last report. */
  readonly ended: Promise<void>
  stop(): void
}

function helper(
  program: URL | undefined,
  share: AuditShare,
  put: (report: NumberedReport) => void,
): Helper {
  if (!program) return { ended: Promise.resolve(), stop: () => {} }
  // Our threads occupy all cores, so parallel collection would wait for one.
  process.getBuiltinModule('node:v8').setFlagsFromString('--no-parallel-scavenge')
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const worker = new Worker(program, { workerData: share })
  const ended = new Promise<void>((resolve, reject) => {
    worker.on('message', (report: NumberedReport | null) => (report ? put(report) : resolve()))
    worker.on('error', reject)
  })
  // Prevents an unhandled rejection before `ended` is awaited.
  ended.catch(() => {})
  return { ended, stop: () => void worker.terminate() }
}
