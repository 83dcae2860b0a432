import { lstatSync, type Stats, statSync } from 'node:fs'
import { WaybillError } from '../error.ts'

/**
 * Returns the stats of a path without following a link; undefined if nothing exists there.
 *
 * @param shown the path as the user wrote it
 * @throws {WaybillError} 'input-output' when the path cannot be examined, such as for denied access or link loops.
 */
export function lookAt(file: string, shown = file): Stats | undefined {
  return look(() => lstatSync(file, { throwIfNoEntry: false }), shown)
}

/** The same for the target of a link; undefined for a broken link. */
export function lookThrough(file: string, shown = file): Stats | undefined {
  return look(() => statSync(file, { throwIfNoEntry: false }), shown)
}

function look(ask: () => Stats | undefined, shown: string): Stats | undefined {
  try {
    return ask()
  } catch (cause) {
    // Nothing exists below a file; only some of these calls report that themselves.
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw refused(`${shown} cannot be reached`, cause)
  }
}

/** Reasons and hints by system error code. */
const WORDS: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EACCES: ['permission is denied', 'grant this account access, or run this as another user'],
  EPERM: ['permission is denied', 'grant this account access, or run this as another user'],
  ELOOP: ['its symbolic links form a loop', 'fix or remove the links'],
  ENAMETOOLONG: ['the name is too long', 'use a shorter one'],
  ENOTDIR: ['it is below a file', 'choose another path'],
  ENOENT: ['it does not exist', 'restore it, or choose another path'],
  EEXIST: ['something else exists at this path', 'move it away, or choose another path'],
  EISDIR: ['it is a folder', 'name a file'],
  EROFS: ['the file system is read-only', 'make it writable, or choose another path'],
  ENOSPC: ['the disk is full', 'free disk space'],
  EIO: ['the disk reports an error', 'check the disk'],
}

/** Why a system call failed, in words if known, else the error code. */
export function reasonOf(cause: unknown): string {
  const name = nameOf(cause)
  return WORDS[name]?.[0] ?? name
}

/** Codes of Node's own errors say less than their messages. */
function nameOf(cause: unknown): string {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return /^E[A-Z0-9]+$/.test(code) ? code : message
}

/** The hint for a failed system call. */
export function hintOf(cause: unknown): { readonly hint?: string } {
  const remedy = WORDS[nameOf(cause)]?.[1]
  return remedy === undefined ? {} : { hint: remedy }
}

/** The error for an existing file that cannot be read. */
export function cannotRead(shown: string, cause: unknown): WaybillError {
  return refused(`${shown} cannot be read`, cause)
}

/** The error for a path that cannot be written. */
export function cannotWrite(shown: string, cause: unknown): WaybillError {
  if (nameOf(cause) === 'ENOENT')
    return new WaybillError(
      'input-output',
      `${shown} cannot be written (ENOENT): its folder does not exist`,
      { hint: 'create the folder, or choose another path', cause },
    )
  return refused(`${shown} cannot be written`, cause)
}

/** The error for a failed system call: what failed, why, and a hint. */
export function refused(what: string, cause: unknown): WaybillError {
  const [name, reason] = [nameOf(cause), reasonOf(cause)]
  const message = `${what} (${name})${reason === name ? '' : `: ${reason}`}`
  return new WaybillError('input-output', message, { ...hintOf(cause), cause })
}
