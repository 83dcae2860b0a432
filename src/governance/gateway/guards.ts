import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { makeFolders, sha256 } from '../../workspace/index.ts'
import { keysFolder } from '../keys/key-files.ts'
import type { LogHead } from './storage.ts'

const GUARD = 'checkpoint'

/**
 * Returns the files that hold the last checkpoint outside of the log, and creates their folder: one next to the keys,
 * which reveals an old copy of the log, and one in a folder of the user, which reveals an old copy of the repository.
 *
 * @throws {WaybillError} 'input-output' when the folder cannot be created.
 */
export function makeGuards(
  root: string,
  origin: string,
  stateHome: string | undefined,
): readonly string[] {
  if (stateHome !== undefined) makeFolder(join(stateHome, GUARD))
  return guardFiles(root, origin, stateHome)
}

function makeFolder(folder: string): void {
  try {
    makeFolders(folder, 0o700)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WaybillError('input-output', `${folder} cannot be created (${code})`, {
      hint: 'the last checkpoint of the log is kept there: set XDG_STATE_HOME to a folder of your own',
      cause,
    })
  }
}

/** Returns the files that hold the last checkpoint outside of the log, whether they exist or not. */
export function guardFiles(
  root: string,
  origin: string,
  stateHome: string | undefined,
): readonly string[] {
  const byKeys = join(keysFolder(root), GUARD)
  if (stateHome === undefined) return [byKeys]
  return [byKeys, join(stateHome, GUARD, sha256(origin).slice(0, 32))]
}

/**
 * Returns the missing guards of a log with entries, as on another machine or in another home folder. Without them an
 * old copy of the log goes unnoticed.
 */
export function absentGuards(
  root: string,
  origin: string,
  stateHome: string | undefined,
  head: LogHead | undefined,
): readonly string[] {
  if (head?.note === undefined) return []
  return guardFiles(root, origin, stateHome).filter(file => !existsSync(file))
}
