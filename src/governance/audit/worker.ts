import { parentPort, workerData } from 'node:worker_threads'
import { type AuditShare, auditShare } from './pool.ts'

// The entry point of the threads that verify entries.
for (const report of auditShare(workerData as AuditShare)) parentPort?.postMessage(report)
parentPort?.postMessage(null)
