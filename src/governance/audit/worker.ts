import { parentPort, workerData } from 'node:worker_threads'
import type { Numbered } from './pool.ts'
import { type AuditJob, stretchAuditor } from './stretch.ts'

// The program of the threads that verify entries.
const audit = stretchAuditor(workerData as AuditJob)

parentPort?.on('message', ({ number, stretch }: Numbered) => {
  parentPort?.postMessage({ number, report: audit(stretch) })
})
