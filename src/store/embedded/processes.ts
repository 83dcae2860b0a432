import { existsSync, statSync } from 'node:fs'

/** Reports whether a process exists, including a zombie. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Reports whether a process runs in a folder, as a server does in its data; undefined when unknown. Guards against
 * reused process ids.
 */
export function worksIn(pid: number, folder: string): boolean | undefined {
  if (!existsSync('/proc/self/cwd')) return isThere(pid) ? undefined : false
  try {
    const [one, other] = [statSync(`/proc/${pid}/cwd`), statSync(folder)]
    return one.ino === other.ino && one.dev === other.dev
  } catch {
    // It ended, or belongs to another user.
    return false
  }
}

/** Waits for some milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
