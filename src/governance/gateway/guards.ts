import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { makeFolders } from '../../workspace/index.ts'
import { keysFolder } from '../keys/key-files.ts'
import { GUARD, homeGuard, keepPlace, originalOf, refuseCopy } from './place.ts'
import type { LogHead, LogStorage } from './storage.ts'

/** The log that guards belong to. */
interface Guarded {
  readonly origin: string
  readonly storage: Pick<LogStorage, 'kind'>
  readonly stateHome: string | undefined
}

/**
 * Returns the files that hold the last checkpoint outside of the log, and creates their folder: one next to the keys,
 * which reveals an old copy of the log, and one in a folder of the user, which reveals an old copy of the repository.
 *
 * @throws {WaybillError} 'exists' when the log is a copy, 'input-output' when the folder cannot be created.
 */
export function makeGuards(
  root: string,
  { origin, storage: { kind }, stateHome }: Guarded,
): readonly string[] {
  if (kind === 'file') refuseCopy(root, origin, stateHome)
  if (stateHome !== undefined) {
    makeFolder(join(stateHome, GUARD))
    keepPlace(root, origin, stateHome, kind)
  }
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

/**
 * Returns the files that hold the last checkpoint outside of the log, whether they exist or not.
 *
 * The file of the user holds that of the original, which says nothing about a copy.
 */
export function guardFiles(
  root: string,
  origin: string,
  stateHome: string | undefined,
): readonly string[] {
  const byKeys = join(keysFolder(root), GUARD)
  if (stateHome === undefined || originalOf(root, origin, stateHome)) return [byKeys]
  return [byKeys, homeGuard(origin, stateHome)]
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
