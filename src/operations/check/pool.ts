import type { Facts } from '../../contract/index.ts'
import type { Config, GitListing } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { openFacts } from './facts.ts'
import { checkBatch, type Settings } from './file.ts'
import { type FileReport, shared } from './report.ts'
import type { Source } from './source.ts'

/** Below this many files a second thread costs more than it saves: each thread warms up its own code. */
export const ENOUGH_FILES = 8000
/** From this many files on, V8 collects feedback from the first call. */
const MANY_FILES = 500
/** Files per batch: enough to keep messages cheap, few enough for threads to finish together. */
const BATCH = 64

/** The input of a checking thread; plain data. */
export interface Job {
  readonly settings: Settings
  readonly config: Config
  readonly given: Facts
  /** What Git listed so far. */
  readonly listings?: GitListing[]
}

/** Some of the sources, and the index of the first. */
export interface Batch {
  readonly start: number
  readonly batch: readonly Source[]
}

/** The report on a batch. */
export interface Part {
  readonly start: number
  readonly report: FileReport
}

/**
 * Checks all sources, in two threads when there are many; reports keep the order of the sources.
 *
 * The threads work from both ends: neighbouring documents share a contract and facts, so each thread warms up different
 * code. Sources are removed from the list as they are taken, to free memory.
 */
export async function checkFiles(sources: Source[], job: Job, app: App): Promise<FileReport> {
  const parts: Part[] = []
  const total = sources.length
  let start = 0
  let done = 0
  const takeFirst = (): Batch => {
    const batch = sources.splice(0, BATCH)
    start += batch.length
    return { start: start - batch.length, batch }
  }
  const takeLast = (): Batch => {
    const batch = app.signal?.aborted ? [] : sources.splice(-BATCH)
    return { start: start + sources.length, batch }
  }
  const put = (part: Part, files: number) => {
    parts.push(part)
    done += files
    app.progress?.(done, total)
  }
  const helped =
    total >= ENOUGH_FILES && app.worker
      ? checkElsewhere(app.worker(), job, takeLast, put)
      : undefined
  // An early failure is rethrown by the await below.
  helped?.catch(() => {})
  if (total >= MANY_FILES && app.worker) warmUpAtOnce()
  const place = { ...job.settings, memory: app.memory }
  const facts = openFacts(place, job.config, job.given, job.listings)
  for (let next = takeFirst(); next.batch.length > 0; next = takeFirst()) {
    app.signal?.throwIfAborted()
    const report = await checkBatch(next.batch, job.settings, facts)
    put({ start: next.start, report }, next.batch.length)
    // Let messages of the other thread and cancellation through.
    if (helped !== undefined || app.signal !== undefined)
      await new Promise(resolve => setImmediate(resolve))
  }
  await helped
  return joined(parts)
}

/** Makes V8 collect type feedback from the first call of each function; used only in the CLI's own process. */
function warmUpAtOnce(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--no-lazy-feedback-allocation')
}

/** Joins the parts, which arrive in any order. */
function joined(parts: Part[]): FileReport {
  parts.sort((a, b) => a.start - b.start)
  return {
    documents: parts.flatMap(part => part.report.documents),
    ignored: parts.reduce((sum, part) => sum + part.report.ignored, 0),
    passedOver: parts.flatMap(part => part.report.passedOver),
  }
}

/** Batches queued at the other thread, so that it never waits for this one. */
const AHEAD = 3

function checkElsewhere(
  program: URL,
  job: Job,
  take: () => Batch,
  put: (part: Part, files: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { setFlagsFromString } = process.getBuiltinModule('node:v8')
    // Two threads fill two cores; parallel garbage collection would wait for a free one.
    setFlagsFromString('--no-parallel-scavenge')
    // In MiB, for new heaps: a checking thread holds little.
    setFlagsFromString('--max-semi-space-size=1')
    // Otherwise compilation data piles up until a core is idle.
    setFlagsFromString('--no-maglev-destroy-on-background')
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const worker = new Worker(program, { workerData: job })
    /** Sizes of the batches in progress, in order. */
    const open: number[] = []
    const hand = () => {
      const next = take()
      if (next.batch.length === 0) return
      open.push(next.batch.length)
      worker.postMessage(next)
    }
    const endWhenIdle = () => {
      if (open.length > 0) return
      resolve()
      void worker.terminate()
    }
    worker.on('online', () => {
      for (let i = 0; i < AHEAD; i++) hand()
      endWhenIdle()
    })
    worker.on('message', ({ start, report }: Part) => {
      const documents = report.documents.map(shared)
      put({ start, report: { ...report, documents } }, open.shift() ?? 0)
      hand()
      endWhenIdle()
    })
    worker.on('error', reject)
  })
}
