import { parentPort } from 'node:worker_threads'
import { WaybillError } from '../../error.ts'
import { type Integration, integrate } from './integrate.ts'
import type { IntegrationAnswer } from './integrator.ts'

// The program of the integration thread.
parentPort?.on('message', (task: Integration) => {
  parentPort?.postMessage(answer(task))
})

function answer(task: Integration): IntegrationAnswer {
  try {
    return { tree: integrate(task) }
  } catch (error) {
    const { message, hint, code } =
      error instanceof WaybillError ? error : new WaybillError('internal', String(error))
    return { error: { message, hint, code } }
  }
}
