import { setTimeout as pause } from 'node:timers/promises'
import { WaybillError } from '../../error.ts'
import type { App } from '../operation.ts'
import type { PipelineSetOutput } from '../pipeline-set/output.ts'
import { type Setting, setStatus } from './set-status.ts'

/** How often a status is set anew where somebody else was faster, and after how many milliseconds. */
const MOST_TRIES = 40
const PAUSE = 15

/** Sets a status on whatever the document has become, as often as others write or replace it at the same time. */
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
