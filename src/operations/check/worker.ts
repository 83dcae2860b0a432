import { parentPort, workerData } from 'node:worker_threads'
import { openFacts } from './facts.ts'
import { checkFile } from './file.ts'
import type { Batch, Job } from './pool.ts'
import type { FileReport } from './report.ts'

const { settings, config, given } = workerData as Job
const facts = openFacts(settings, config, given)

parentPort?.on('message', async ({ start, batch }: Batch) => {
  const reports: FileReport[] = []
  for (const source of batch) reports.push(await checkFile(source, settings, facts))
  parentPort?.postMessage({ start, reports })
})
