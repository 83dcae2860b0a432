import { WaybillError } from '../../error.ts'

/** The log says two things that cannot both be true: nothing may be built on it. */
export function tampered(what: string, cause?: unknown): WaybillError {
  return new WaybillError('ledger-tampered', `the ledger is not as it was left: ${what}`, {
    hint: 'nothing was written; put the newest copy of the whole ledger folder back, or find out who changed it',
    cause,
  })
}

/** A number of entries, in words. */
export const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

/** A file of the log could not be written; what was promised before is not touched by that. */
export function cannotWrite(file: string, cause: unknown): WaybillError {
  if (cause instanceof WaybillError) return cause
  return new WaybillError('input-output', `${file} cannot be written (${reasonOf(cause)})`, {
    hint: `what the ledger has promised so far is kept; ${remedyFor(cause)}, and try again`,
    cause,
  })
}

/** What the system has refused, and what can be done about it. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'make room',
  EDQUOT: 'make room, or have the quota raised',
  EACCES: 'let this account write there',
  EPERM: 'let this account write there',
  EROFS: 'make the file system writable, or work where it is',
  EIO: 'look whether the disk is sound',
  EMFILE: 'let the process open more files (ulimit -n)',
  ENFILE: 'let the system open more files',
  EFBIG: 'let files grow larger (ulimit -f)',
  ELOOP: 'mend the links, which go round in a circle',
  ENAMETOOLONG: 'give it a shorter name',
}

function remedyFor(cause: unknown): string {
  return REMEDIES[reasonOf(cause)] ?? 'mend that'
}

/** A file of the log could not be read. */
export function cannotRead(file: string, cause: unknown): WaybillError {
  if (cause instanceof WaybillError) return cause
  const reason = reasonOf(cause)
  const isRefused = reason === 'EACCES' || reason === 'EPERM'
  return new WaybillError('input-output', `${file} cannot be read (${reason})`, {
    hint: `${isRefused ? 'let this account read it' : remedyFor(cause)}, and try again`,
    cause,
  })
}

/** Why a call of the system failed, in the system's own word. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof WaybillError) return cause.message
  return (cause as NodeJS.ErrnoException).code ?? String(cause)
}

/** Whether a call failed because there is no such file. */
export function isMissing(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException).code === 'ENOENT'
}
