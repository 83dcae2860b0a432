import type { Facts } from '../../contract/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { openFacts } from './facts.ts'
import { checkFile, type Settings } from './file.ts'
import { type FileReport, shared } from './report.ts'
import type { Source } from './source.ts'

/** Below this many files a second thread saves less than it costs: each has to warm up its own compiled code. */
export const ENOUGH_FILES = 8000
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

/**
 * Checks all sources, on both cores when there are many; results stand in the order of the sources.
 *
 * This thread takes them from the front and the other from the back: documents of one kind stand together, so that each
 * thread warms up the code of other kinds, and looks up the facts of other folders.
 */
export async function checkFiles(
  sources: readonly Source[],
  job: Job,
  app: App,
): Promise<FileReport[]> {
  const results = new Array<FileReport>(sources.length)
  let start = 0
  let end = sources.length
  let done = 0
  const takeFirst = (): Batch => {
    const batch = sources.slice(start, Math.min(start + BATCH, end))
    start += batch.length
    return { start: start - batch.length, batch }
  }
  const takeLast = (): Batch => {
    const from = app.signal?.aborted ? end : Math.max(start, end - BATCH)
    const batch = sources.slice(from, end)
    end = from
    return { start: from, batch }
  }
  const put = (start: number, reports: readonly FileReport[]) => {
    for (const [i, report] of reports.entries()) results[start + i] = report
    done += reports.length
    app.progress?.(done, sources.length)
  }
  const helped =
    sources.length >= ENOUGH_FILES && app.worker
      ? checkElsewhere(app.worker(), job, takeLast, put)
      : undefined
  // What goes wrong there is told when its end is awaited, not before.
  helped?.catch(() => {})
  const facts = openFacts(job.settings, job.config, job.given)
  for (let next = takeFirst(); next.batch.length > 0; next = takeFirst()) {
    app.signal?.throwIfAborted()
    const reports: FileReport[] = []
    for (const source of next.batch) reports.push(await checkFile(source, job.settings, facts))
    put(next.start, reports)
    // Lets the other thread's messages in, and word that nobody waits for the result any more.
    if (helped !== undefined || app.signal !== undefined)
      await new Promise(resolve => setImmediate(resolve))
  }
  await helped
  return results
}

/** Batches that the other thread has at hand, so that it need not wait for this one to finish its own. */
const AHEAD = 3

function checkElsewhere(
  program: URL,
  job: Job,
  take: () => Batch,
  put: (start: number, reports: readonly FileReport[]) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { setFlagsFromString } = process.getBuiltinModule('node:v8')
    // Two threads of ours fill two cores: parts of a collection handed to others would wait for one.
    setFlagsFromString('--no-parallel-scavenge')
    // Heaps that are opened from now on, in MiB: what a thread holds while it checks is little.
    setFlagsFromString('--max-semi-space-size=1')
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const worker = new Worker(program, { workerData: job })
    let open = 0
    const hand = () => {
      const next = take()
      if (next.batch.length === 0) return
      open++
      worker.postMessage(next)
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
    worker.on('message', ({ start, reports }: { start: number; reports: FileReport[] }) => {
      open--
      put(
        start,
        reports.map(({ documents, ignored }) => ({ documents: documents.map(shared), ignored })),
      )
      hand()
      endWhenIdle()
    })
    worker.on('error', reject)
  })
}
