import { WaybillError } from '../../error.ts'

/** The log contradicts itself: do not build on it. */
export function tampered(what: string, cause?: unknown): WaybillError {
  return new WaybillError('ledger-tampered', `the ledger was changed or damaged: ${what}`, {
    hint: 'nothing was written; restore the newest copy of the whole ledger folder, or find out who changed it',
    cause,
  })
}

/** Formats a number of entries. */
export const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

/** A file of the log could not be written; earlier promises are not affected. */
export function cannotWrite(file: string, cause: unknown): WaybillError {
  if (cause instanceof WaybillError) return cause
  return new WaybillError('input-output', `${file} cannot be written (${reasonOf(cause)})`, {
    hint: `entries promised so far are safe; ${remedyFor(cause)}, and try again`,
    cause,
  })
}

/** The remedy for each system error. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'free disk space',
  EDQUOT: 'free disk space, or raise the quota',
  EACCES: 'give this account write permission',
  EPERM: 'give this account write permission',
  EROFS: 'make the file system writable, or use one that is',
  EIO: 'check the disk',
  EMFILE: 'raise the limit of open files (ulimit -n)',
  ENFILE: 'raise the open file limit of the system',
  EFBIG: 'raise the limit of file size (ulimit -f)',
  ELOOP: 'fix the circular links',
  ENAMETOOLONG: 'give it a shorter name',
}

function remedyFor(cause: unknown): string {
  return REMEDIES[reasonOf(cause)] ?? 'fix the cause'
}

/** A file of the log could not be read. */
export function cannotRead(file: string, cause: unknown): WaybillError {
  if (cause instanceof WaybillError) return cause
  const reason = reasonOf(cause)
  const isRefused = reason === 'EACCES' || reason === 'EPERM'
  return new WaybillError('input-output', `${file} cannot be read (${reason})`, {
    hint: `${isRefused ? 'give this account read permission' : remedyFor(cause)}, and try again`,
    cause,
  })
}

/** The system's error code. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof WaybillError) return cause.message
  return (cause as NodeJS.ErrnoException).code ?? String(cause)
}

/** Whether a call failed because the file does not exist. */
export function isMissing(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException).code === 'ENOENT'
}
