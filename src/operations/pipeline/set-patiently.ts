import { setTimeout as pause } from 'node:timers/promises'
import { WaybillError } from '../../error.ts'
import type { App } from '../operation.ts'
import type { PipelineSetOutput } from '../pipeline-set/output.ts'
import { type Setting, setStatus } from './set-status.ts'

/** How often a status is set again after a conflict, and the pause in milliseconds. */
const MOST_TRIES = 40
const PAUSE = 15

/** Sets a status and retries while others replace the document. */
export async function setPatiently(setting: Setting, app: App): Promise<PipelineSetOutput> {
  for (let tries = 1; ; tries++) {
    try {
      return await setStatus(setting, app)
    } catch (error) {
      const isRace = error instanceof WaybillError && ['conflict', 'not-found'].includes(error.code)
      if (!isRace || tries === MOST_TRIES) throw error
      await pause(PAUSE)
    }
  }
}
