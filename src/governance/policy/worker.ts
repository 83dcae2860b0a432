import { parentPort, workerData } from 'node:worker_threads'
import { decideBy } from './decide.ts'
import type { PolicyRequest } from './request.ts'
import type { ThreadJob } from './thread.ts'

// The program of the thread that asks the engine for a gateway of which much is asked at once.
const { inspected, first } = workerData as ThreadJob
const { decide } = decideBy(inspected, { remember: false })

parentPort?.on('message', (requests: readonly PolicyRequest[]) => {
  parentPort?.postMessage(requests.map(decide))
})
parentPort?.postMessage([decide(first)])
