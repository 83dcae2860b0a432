import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process that works in a folder, or has it among its arguments. */
export interface Process {
  readonly pid: number
  readonly command: string
  /** Of which process it is the child. */
  readonly parent: number
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
      return isIts ? [{ pid, command: command.trim(), parent: parentOf(pid) }] : []
    })
}

/** The database servers that work in a folder: a child of one looks like it for a moment, before it takes its own name. */
export function serversOf(folder: string): readonly Process[] {
  const all = processesOf(folder).filter(({ command }) => / -D /.test(command))
  return all.filter(({ parent }) => !all.some(({ pid }) => pid === parent))
}

function parentOf(pid: number): number {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2])
}

function read(get: () => string): string {
  try {
    return get()
  } catch {
    // It has ended, or belongs to another user.
    return ''
  }
}

/** Waits until something holds; gives whether it did before the time was over, in milliseconds. */
export async function comesTrue(
  holds: () => boolean | Promise<boolean>,
  patience = 60_000,
): Promise<boolean> {
  const deadline = performance.now() + patience
  while (!(await holds())) {
    if (performance.now() > deadline) return false
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return true
}
