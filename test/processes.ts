import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process that works in a folder, or was told of it. */
export interface Process {
  readonly pid: number
  readonly command: string
}

/** The living processes that work in a folder or were started with its name; none where the system does not tell. */
export function processesOf(folder: string): readonly Process[] {
  if (!existsSync('/proc/self/cwd')) return []
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && pid !== process.pid)
    .flatMap(pid => {
      const command = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
      const place = read(() => readlinkSync(`/proc/${pid}/cwd`))
      const isIts = `${place}/`.startsWith(`${folder}/`) || command.includes(folder)
      return isIts ? [{ pid, command: command.trim() }] : []
    })
}

function read(get: () => string): string {
  try {
    return get()
  } catch {
    // It has ended, or is somebody else's.
    return ''
  }
}

/** Waits until something holds; gives whether it did before the time was over, in milliseconds. */
export async function comesTrue(
  holds: () => boolean | Promise<boolean>,
  patience = 20_000,
): Promise<boolean> {
  const deadline = performance.now() + patience
  while (!(await holds())) {
    if (performance.now() > deadline) return false
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return true
}
