import { setTimeout as pause } from 'node:timers/promises'
import { WaybillError } from '../../error.ts'
import type { App } from '../operation.ts'
import { openPipeline, type Pipeline } from './open.ts'

/** How long and how often a missing or invalid file is read again, in milliseconds. */
const PATIENCE = 5000
const PAUSE = 50

/**
 * Opens the file of a running mission; waits while it is replaced or written, so that no task fails.
 *
 * @param isWhole An extra condition to wait for.
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

/** Reports whether a document has no errors. */
export function isSound({ report }: Pipeline): boolean {
  return report.accepted
}
