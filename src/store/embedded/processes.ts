import { existsSync, statSync } from 'node:fs'

/** Whether a process lives, or nobody has taken note yet that it ended. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Whether a process works in a folder, as a server does in its data; unknown where the system does not tell.
 *
 * Numbers of processes come round again, so that a number in a file may be that of another program by now.
 */
export function worksIn(pid: number, folder: string): boolean | undefined {
  if (!existsSync('/proc/self/cwd')) return isThere(pid) ? undefined : false
  try {
    const [one, other] = [statSync(`/proc/${pid}/cwd`), statSync(folder)]
    return one.ino === other.ino && one.dev === other.dev
  } catch {
    // It has ended, or is somebody else's.
    return false
  }
}

/** Lets time pass, in milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
