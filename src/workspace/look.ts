import { lstatSync, type Stats, statSync } from 'node:fs'
import { WaybillError } from '../error.ts'

/**
 * What stands at a path, a link for itself; nothing where nothing stands.
 *
 * @param shown the path as the person has written it
 * @throws WaybillError where nobody can tell: a closed folder, links in a circle, a name that no file can have.
 */
export function lookAt(file: string, shown = file): Stats | undefined {
  return look(() => lstatSync(file, { throwIfNoEntry: false }), shown)
}

/** The same of what a link leads to; one that leads to nothing is nothing. */
export function lookThrough(file: string, shown = file): Stats | undefined {
  return look(() => statSync(file, { throwIfNoEntry: false }), shown)
}

function look(ask: () => Stats | undefined, shown: string): Stats | undefined {
  try {
    return ask()
  } catch (cause) {
    // Below a file there is nothing; only some of these calls say so by themselves.
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw refused(`${shown} cannot be reached`, cause)
  }
}

/** What a system says that it refuses, and what can be done about it. */
const WORDS: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EACCES: ['permission is denied', 'let this account in, or run this as one that may'],
  EPERM: ['permission is denied', 'let this account in, or run this as one that may'],
  ELOOP: ['its symbolic links go round in a circle', 'mend the links, or take them away'],
  ENAMETOOLONG: ['no file can have so long a name', 'take a shorter one'],
  ENOTDIR: ['it lies below a file', 'name another place'],
  ENOENT: ['it is gone', 'put it back, or name another place'],
  EEXIST: ['something else stands in its place', 'move that away, or name another place'],
  EISDIR: ['it is a folder', 'name a file'],
  EROFS: ['the file system is read-only', 'make it writable, or name another place'],
  ENOSPC: ['the disk is full', 'make room'],
  EIO: ['the disk reports an error', 'look whether the disk is sound'],
}

/** Why a call of the system failed, in words where there are some, else as the system names it. */
export function reasonOf(cause: unknown): string {
  const name = nameOf(cause)
  return WORDS[name]?.[0] ?? name
}

/** Errors of Node itself have codes that say less than their words. */
function nameOf(cause: unknown): string {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return /^E[A-Z0-9]+$/.test(code) ? code : message
}

/** What can be done about a call of the system that failed, as the hint of an error. */
export function hintOf(cause: unknown): { readonly hint?: string } {
  const remedy = WORDS[nameOf(cause)]?.[1]
  return remedy === undefined ? {} : { hint: remedy }
}

/** The error for a file that is there and cannot be read. */
export function cannotRead(shown: string, cause: unknown): WaybillError {
  return refused(`${shown} cannot be read`, cause)
}

/** The error for a place where nothing can be written. */
export function cannotWrite(shown: string, cause: unknown): WaybillError {
  if (nameOf(cause) === 'ENOENT')
    return new WaybillError(
      'input-output',
      `${shown} cannot be written (ENOENT): its folder does not exist`,
      { hint: 'make the folder, or name another place', cause },
    )
  return refused(`${shown} cannot be written`, cause)
}

/** The error for a call of the system that failed: what could not be done, why, and what to do about it. */
export function refused(what: string, cause: unknown): WaybillError {
  const [name, reason] = [nameOf(cause), reasonOf(cause)]
  const told = `${what} (${name})${reason === name ? '' : `: ${reason}`}`
  return new WaybillError('input-output', told, { ...hintOf(cause), cause })
}
