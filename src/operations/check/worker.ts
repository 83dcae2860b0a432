import { parentPort, workerData } from 'node:worker_threads'
import { openFacts } from './facts.ts'
import { checkFile } from './file.ts'
import type { Job } from './pool.ts'
import type { FileReport } from './report.ts'
import type { Source } from './source.ts'

const { settings, config, given } = workerData as Job
const facts = openFacts(settings, config, given)

parentPort?.on('message', async (batch: readonly Source[]) => {
  const reports: FileReport[] = []
  for (const source of batch) reports.push(await checkFile(source, settings, facts))
  parentPort?.postMessage(reports)
})
