import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { WaybillError } from '../error.ts'
import { withLock } from './lock.ts'
import { cannotRead } from './look.ts'
import { hashFile } from './read.ts'
import { writeAtomically } from './write.ts'

/**
 * Replaces a file only while it still has the bytes that the new text was made from.
 *
 * Of several writers who read the same bytes one wins; the others get a `conflict`, and nothing is lost. A link is
 * followed, but not out of the root.
 */
export function swapAtomically(root: string, file: string, expected: string, text: string): void {
  const target = insideRoot(root, file)
  withLock(root, target, () => {
    if (digestOf(target) !== expected) {
      const name = relative(root, file)
      throw new WaybillError('conflict', `${name} was changed by somebody else in the meantime`, {
        hint: 'nothing was written; look at it and try again',
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

/** The real place of a file that is to be written. */
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
