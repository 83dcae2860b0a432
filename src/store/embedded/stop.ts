import { WaybillError } from '../../error.ts'
import { type Place, readText } from './place.ts'
import { isThere, pause, worksIn } from './processes.ts'
import { findRunning } from './running.ts'

/** How long a fast and an immediate shutdown may take, in milliseconds. */
const PATIENCE = { fast: 30_000, immediate: 10_000 }

/** Signals the server of a place; returns its process id, or undefined when it is not running. */
export function signalServer(place: Place, signal: 'SIGINT' | 'SIGQUIT'): number | undefined {
  const pid = Number(readText(place.pidFile)?.split('\n')[0])
  // The process id may be reused by another program.
  if (!pid || worksIn(pid, place.data) === false) return undefined
  try {
    process.kill(pid, signal)
    return pid
  } catch {
    return undefined
  }
}

/** Stops the server of a place despite connections; returns whether one was running. */
export async function stopServer(place: Place): Promise<boolean> {
  const found = await findRunning(place)
  if (found.state === 'none') return false
  for (const [signal, patience] of [
    ['SIGINT', PATIENCE.fast],
    ['SIGQUIT', PATIENCE.immediate],
  ] as const) {
    const pid = signalServer(place, signal)
    if (pid === undefined || (await hasEnded(place, pid, patience))) return true
  }
  throw new WaybillError('input-output', `the database in ${place.folder} does not stop`, {
    hint: `read ${place.log}`,
  })
}

async function hasEnded(place: Place, pid: number, patience: number): Promise<boolean> {
  const deadline = performance.now() + patience
  while (performance.now() < deadline) {
    if (!isThere(pid) || worksIn(pid, place.data) === false) return true
    await pause(10)
  }
  return false
}
