import { availableParallelism } from 'node:os'
import { type AuditJob, type Stretch, type StretchReport, stretchAuditor } from './stretch.ts'

/** Below this many entries another thread saves less than it costs. */
const ENOUGH_ENTRIES = 4096
/** Entries handed out at a time: enough to make messages cheap, few enough to be held. */
const STRETCH = 1024
/** Stretches that another thread has at hand, so that it need not wait for this one to finish its own. */
const AHEAD = 2
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

/**
 * Verifies all entries of a log, on all cores when there are many; `take` gets the reports in the order of the log.
 *
 * @param edges Indices at which a stretch has to end.
 */
export async function auditEntries(
  job: AuditJob,
  edges: readonly number[],
  { worker, signal }: AuditHelp,
  take: (report: StretchReport) => void,
): Promise<void> {
  const plan = stretchesOf(job.size, edges)
  const waiting = new Map<number, StretchReport>()
  let [handed, taken] = [0, 0]
  const next = (): Numbered | undefined => {
    const { value: stretch } = signal?.aborted ? { value: undefined } : plan.next()
    return stretch && { number: handed++, stretch }
  }
  const put = (number: number, report: StretchReport) => {
    waiting.set(number, report)
    for (let first = waiting.get(taken); first; first = waiting.get(taken)) {
      waiting.delete(taken++)
      take(first)
    }
  }
  const threads =
    worker && job.size >= ENOUGH_ENTRIES ? Math.min(availableParallelism(), MOST_THREADS) - 1 : 0
  const helped = Promise.all(
    Array.from({ length: threads }, () => helpedBy(worker?.(), job, next, put)),
  )
  // What goes wrong there is told when its end is awaited, not before.
  helped.catch(() => {})
  const audit = stretchAuditor(job)
  for (let one = next(); one; one = next()) {
    put(one.number, audit(one.stretch))
    signal?.throwIfAborted()
    // Lets the messages of the others in.
    await new Promise(resolve => setImmediate(resolve))
  }
  await helped
  signal?.throwIfAborted()
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

function helpedBy(
  program: URL | undefined,
  job: AuditJob,
  next: () => Numbered | undefined,
  put: (number: number, report: StretchReport) => void,
): Promise<void> {
  if (!program) return Promise.resolve()
  return new Promise((resolve, reject) => {
    // Threads of ours fill the cores: parts of a collection handed to others would wait for one.
    process.getBuiltinModule('node:v8').setFlagsFromString('--no-parallel-scavenge')
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const worker = new Worker(program, { workerData: job })
    let open = 0
    const hand = () => {
      const one = next()
      if (one) worker.postMessage(one)
      if (one) open++
    }
    const endWhenIdle = () => {
      if (open > 0) return
      resolve()
      void worker.terminate()
    }
    worker.on('online', () => {
      for (let i = 0; i < AHEAD; i++) hand()
      endWhenIdle()
    })
    worker.on('message', ({ number, report }: { number: number; report: StretchReport }) => {
      open--
      put(number, report)
      hand()
      endWhenIdle()
    })
    worker.on('error', reject)
  })
}
