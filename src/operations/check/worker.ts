import { parentPort, workerData } from 'node:worker_threads'
import { openFacts } from './facts.ts'
import { checkBatch } from './file.ts'
import type { Batch, Job, Part } from './pool.ts'

const { settings, config, given, listings } = workerData as Job
const facts = openFacts(settings, config, given, listings)

parentPort?.on('message', async ({ start, batch }: Batch) => {
  const part: Part = { start, report: await checkBatch(batch, settings, facts) }
  parentPort?.postMessage(part)
})
