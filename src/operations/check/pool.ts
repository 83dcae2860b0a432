import type { Facts } from '../../contract/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { openFacts } from './facts.ts'
import { checkBatch, type Settings } from './file.ts'
import { type FileReport, shared } from './report.ts'
import type { Source } from './source.ts'

/** Below this many files a second thread saves less than it costs: each has to warm up its own compiled code. */
export const ENOUGH_FILES = 8000
/** From this many files on, code that runs at all is taken to run often. */
const MANY_FILES = 500
/** Files handed out at a time: enough to make messages cheap, few enough to end together. */
const BATCH = 64

/** What a thread has to know before it can check; plain data. */
export interface Job {
  readonly settings: Settings
  readonly config: Config
  readonly given: Facts
}

/** Some of the sources, and which is the first. */
export interface Batch {
  readonly start: number
  readonly batch: readonly Source[]
}

/** What was found in a batch. */
export interface Part {
  readonly start: number
  readonly report: FileReport
}

/**
 * Checks all sources, on both cores when there are many; documents stand in the order of the sources.
 *
 * This thread takes them from the front and the other from the back: documents of one kind stand together, so that each
 * thread warms up the code of other kinds, and looks up the facts of other folders. The list is emptied on the way,
 * since nobody needs a source whose report there is.
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
  // What goes wrong there is told when its end is awaited, not before.
  helped?.catch(() => {})
  if (total >= MANY_FILES && app.worker) warmUpAtOnce()
  const facts = openFacts(job.settings, job.config, job.given)
  for (let next = takeFirst(); next.batch.length > 0; next = takeFirst()) {
    app.signal?.throwIfAborted()
    const report = await checkBatch(next.batch, job.settings, facts)
    put({ start: next.start, report }, next.batch.length)
    // Lets the other thread's messages in, and word that nobody waits for the result any more.
    if (helped !== undefined || app.signal !== undefined)
      await new Promise(resolve => setImmediate(resolve))
  }
  await helped
  return joined(parts)
}

/**
 * Lets V8 take notes for its optimiser from the first call of a function on, not only once it was called some times: over
 * many files nearly all of them are. Only where the process is ours.
 */
function warmUpAtOnce(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--no-lazy-feedback-allocation')
}

/** Parts come as threads end them. */
function joined(parts: Part[]): FileReport {
  parts.sort((a, b) => a.start - b.start)
  return {
    documents: parts.flatMap(part => part.report.documents),
    ignored: parts.reduce((sum, part) => sum + part.report.ignored, 0),
    passedOver: parts.flatMap(part => part.report.passedOver),
  }
}

/** Batches that the other thread has at hand, so that it need not wait for this one to finish its own. */
const AHEAD = 3

function checkElsewhere(
  program: URL,
  job: Job,
  take: () => Batch,
  put: (part: Part, files: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { setFlagsFromString } = process.getBuiltinModule('node:v8')
    // Two threads of ours fill two cores: parts of a collection handed to others would wait for one.
    setFlagsFromString('--no-parallel-scavenge')
    // Heaps that are opened from now on, in MiB: what a thread holds while it checks is little.
    setFlagsFromString('--max-semi-space-size=1')
    // What it took to compile a function would pile up until a core is idle that could throw it away.
    setFlagsFromString('--no-maglev-destroy-on-background')
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const worker = new Worker(program, { workerData: job })
    /** How many files the batches have that are under way, in the order in which they will be answered. */
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
