import { resolve } from 'node:path'
import { WaybillError } from '../../error.ts'
import { contentAt } from '../../governance/index.ts'
import { LogFolder, newTiles, TILE_WIDTH } from '../../ledger/index.ts'
import { cannotWrite, lookAt, makeFolders, removeLeft } from '../../workspace/index.ts'
import { fromRoot } from '../gateway/passed.ts'
import { openPublished } from '../log/one-entry.ts'
import type { App } from '../operation.ts'
import type { LogExportOutput } from './output.ts'

/** Exports a log to a new folder, wherever it is stored: tiles, contents and checkpoint, as C2SP tools read them. */
export async function exportFiles(given: string, app: App): Promise<LogExportOutput> {
  const { log, origin, signed } = await openPublished(app)
  const folder = resolve(app.cwd, given)
  // A broken link counts as existing, too.
  if (lookAt(folder, given))
    throw new WaybillError('exists', `${given} already exists and is not overwritten`, {
      hint: 'name another folder with --files',
    })
  const { size } = signed.checkpoint
  let isWhole = false
  try {
    makeFolders(folder, 0o700)
    const to = new LogFolder(folder)
    for (const tile of newTiles(0, size)) {
      refuseAborted(app)
      to.tile(tile, await log.tile(tile))
    }
    for (let first = 0; first < size; first += TILE_WIDTH) {
      refuseAborted(app)
      const lines: string[] = []
      for (let index = first; index < Math.min(size, first + TILE_WIDTH); index++)
        lines.push((await contentAt(log, index)) ?? '')
      to.contents(first / TILE_WIDTH, lines)
      app.progress?.(first + lines.length, size, 'entries')
    }
    // An erasure during the export has no entry in it: export again.
    isWhole = (await log.find('kind:erasure')).every(index => index < size)
    // Written last: a folder with a checkpoint is complete.
    if (isWhole) to.checkpoint(signed.note)
  } catch (error) {
    removeLeft(folder)
    throw isRefused(error) ? cannotWrite(given, error) : error
  }
  if (!isWhole) {
    removeLeft(folder)
    return exportFiles(given, app)
  }
  const out = fromRoot(folder, app)
  return { origin, size, from: 0, next: null, count: size, out, changed: [], events: [] }
}

/** Tells whether a system call failed. */
function isRefused(error: unknown): boolean {
  return !(error instanceof WaybillError) && (error as NodeJS.ErrnoException).code !== undefined
}

function refuseAborted({ signal }: App): void {
  if (signal?.aborted) throw new WaybillError('interrupted', 'nothing was exported')
}
