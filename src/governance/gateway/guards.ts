import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { makeFolders, sha256 } from '../../workspace/index.ts'
import { keysFolder } from '../keys/key-files.ts'
import type { LogHead } from './storage.ts'

const GUARD = 'checkpoint'

/**
 * Where the last checkpoint is kept outside of the log: beside the keys, and in a folder of the user. Who puts back an
 * old copy of the log, or of the whole repository, is found out by one of them.
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
    throw new WaybillError('input-output', `${folder} cannot be made (${code})`, {
      hint: 'the last checkpoint of the log is remembered there: let XDG_STATE_HOME name a folder of your own',
      cause,
    })
  }
}

/** The files that remember the last checkpoint of a log outside of it, whether they are there or not. */
export function guardFiles(
  root: string,
  origin: string,
  stateHome: string | undefined,
): readonly string[] {
  const beside = join(keysFolder(root), GUARD)
  if (stateHome === undefined) return [beside]
  return [beside, join(stateHome, GUARD, sha256(origin).slice(0, 32))]
}

/**
 * The guards that a log which has entries lacks. Another folder of the user, or another machine: it cannot be told then
 * whether an old copy was put back.
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
