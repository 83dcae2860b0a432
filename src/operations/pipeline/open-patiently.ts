import { setTimeout as pause } from 'node:timers/promises'
import { WaybillError } from '../../error.ts'
import type { App } from '../operation.ts'
import { openPipeline, type Pipeline } from './open.ts'

/** For how long a file that is not as it should be is looked at anew, and how often, in milliseconds. */
const PATIENCE = 5000
const PAUSE = 50

/**
 * Opens the file of a mission that is under way: whoever replaces it may take it away first, or write it piece by piece,
 * and that ends nobody's work.
 *
 * @param isWhole What else is waited for, beside that the file is there.
 */
export async function openPatiently(
  file: string,
  app: App,
  isWhole: (pipeline: Pipeline) => boolean = () => true,
): Promise<Pipeline> {
  for (const end = performance.now() + PATIENCE; ; await pause(PAUSE)) {
    const isLast = performance.now() > end
    try {
      const pipeline = await openPipeline(file, app)
      if (isLast || isWhole(pipeline)) return pipeline
    } catch (error) {
      const isGone = error instanceof WaybillError && error.code === 'not-found'
      if (isLast || !isGone) throw error
    }
  }
}

/** Whether a document has no error. */
export function isSound({ report }: Pipeline): boolean {
  return report.accepted
}
