import { parentPort, workerData } from 'node:worker_threads'
import { decideBy, type PolicyOutcome } from './decide.ts'
import type { ThreadJob } from './thread.ts'

// The worker thread that evaluates policies for a busy gateway.
const { inspected, first } = workerData as ThreadJob
const { decide } = decideBy(inspected, { remember: false })
const answer = (request: string): PolicyOutcome => decide(JSON.parse(request))

parentPort?.on('message', (requests: readonly string[]) => {
  parentPort?.postMessage(requests.map(answer))
})
parentPort?.postMessage([answer(first)])
