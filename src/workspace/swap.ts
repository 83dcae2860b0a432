import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { WaybillError } from '../error.ts'
import { withLock } from './lock.ts'
import { cannotRead } from './look.ts'
import { hashFile } from './read.ts'
import { writeAtomically } from './write.ts'

/**
 * Replaces a file only if it still has the bytes that the new text is based on.
 *
 * Of several writers that read the same bytes, one succeeds and the others get a `conflict`. Links are followed, but
 * not out of the root.
 */
export function swapAtomically(root: string, file: string, expected: string, text: string): void {
  const target = insideRoot(root, file)
  withLock(root, target, () => {
    if (digestOf(target) !== expected) {
      const name = relative(root, file)
      throw new WaybillError('conflict', `${name} was changed by another process in the meantime`, {
        hint: 'nothing was written; review the change and try again',
      })
    }
    writeAtomically(target, text)
  })
}

function digestOf(file: string): string | undefined {
  try {
    return hashFile(file).sha256
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const why = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message
    throw new WaybillError('input-output', `${file} cannot be read (${why})`, { cause })
  }
}

/** The real path of a file to write. */
function insideRoot(root: string, file: string): string {
  let real: string
  try {
    real = realpathSync(file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cannotRead(file, cause)
    throw new WaybillError('not-found', `${file} does not exist`, { cause })
  }
  const within = realpathSync(root)
  if (real.startsWith(within === sep ? sep : within + sep)) return real
  throw new WaybillError('input-output', `${file} is a link that leads out of the repository`)
}
