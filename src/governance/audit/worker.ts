import { parentPort, workerData } from 'node:worker_threads'
import { type AuditShare, auditShare } from './pool.ts'

// The program of the threads that verify entries.
for (const told of auditShare(workerData as AuditShare)) parentPort?.postMessage(told)
parentPort?.postMessage(null)
