import { dirname, join } from 'node:path'
import { WaybillError } from '../../error.ts'
import {
  lookThrough,
  realPath,
  removeLeft,
  sha256,
  stateFolder,
  writeAtomically,
} from '../../workspace/index.ts'
import { originFile } from '../keys/key-files.ts'
import { type LogStorage, textIfThere } from './storage.ts'

/** The name of a file or folder with last checkpoints. */
export const GUARD = 'checkpoint'

/** Returns the file of the user that holds the last checkpoint of a log. */
export function homeGuard(origin: string, stateHome: string): string {
  return join(stateHome, GUARD, sha256(origin).slice(0, 32))
}

/** Returns the file of the user that holds where a log was last written. */
function placeFile(origin: string, stateHome: string): string {
  return `${homeGuard(origin, stateHome)}.place`
}

/** Returns where the log of a root lies: the real path of the repository, which its worktrees share. */
function placeOfLog(root: string): string {
  return realPath(dirname(stateFolder(root)))
}

/**
 * Returns the repository that the log of this root was copied from; undefined for the log itself.
 *
 * The log was last written at another place, and still lies there. If it does not, it was moved here.
 */
export function originalOf(
  root: string,
  origin: string,
  stateHome: string | undefined,
): string | undefined {
  const place = stateHome && textIfThere(placeFile(origin, stateHome))
  if (!place || place === placeOfLog(root)) return undefined
  if (textIfThere(originFile(place))?.trim() !== origin) return undefined
  return isSameFolder(stateFolder(place), stateFolder(root)) ? undefined : place
}

/** One folder has several paths where it is mounted twice. */
function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [lookThrough(one), lookThrough(other)]
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev
}

/**
 * Refuses to write to a log that was copied along with its repository: two logs of one name would fork.
 *
 * @throws {WaybillError} 'exists' when the log still lies where it was copied from.
 */
export function refuseCopy(root: string, origin: string, stateHome: string | undefined): void {
  const original = originalOf(root, origin, stateHome)
  if (original === undefined) return
  throw new WaybillError('exists', `${copyOf(original)}: it can be read, but not written to`, {
    hint: OWN_LOG,
  })
}

/** Says that the log here is a copy of another one. */
export function copyOf(original: string): string {
  return `the log here is a copy of the one in ${original}`
}

/** The hint for a copy of a log. */
export const OWN_LOG =
  'start a log of its own here: waybill init --new-log; if this repository replaces the other one, remove the other one first'

/** Remembers that the log of a root is written here; a log that machines share in a database has no place. */
export function keepPlace(
  root: string,
  origin: string,
  stateHome: string,
  kind: LogStorage['kind'],
): void {
  const file = placeFile(origin, stateHome)
  const place = placeOfLog(root)
  if (kind !== 'file') removeLeft(file)
  else if (textIfThere(file) !== place) writeAtomically(file, place)
}
