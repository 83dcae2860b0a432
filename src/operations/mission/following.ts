import { setTimeout as pause } from 'node:timers/promises'
import { WaybillError } from '../../error.ts'
import type { Store } from '../../store/index.ts'
import { SILENCE } from '../database/waiting.ts'
import type { App } from '../operation.ts'
import type { MissionStatusParts } from './output.ts'
import { statusOf } from './status.ts'

/** How often the status of a mission is read, in milliseconds. */
const POLL_INTERVAL = 100
/** How often an unreachable database is tried again, in milliseconds. */
const RETRY_INTERVAL = 500

/**
 * Yields the status of a mission each time it changes; ends with the mission or the signal.
 * `ticking` also yields once a second while a task runs, for terminals.
 */
export async function* followMission(
  store: Store,
  { tenant, mission }: { readonly tenant: string; readonly mission: string },
  app: App,
  { ticking = false }: { readonly ticking?: boolean } = {},
): AsyncGenerator<MissionStatusParts> {
  const { signal } = app
  const read = patientReader(() => store.tenant(tenant, tx => statusOf(tx, tenant, mission)), app)
  let last = ''
  for (let status = await read(); status; status = await read()) {
    const seen = JSON.stringify({
      ...status,
      tasks: status.tasks.map(({ ms, ...task }) => ({ ...task, ms: ticking && secondsOf(ms) })),
    })
    if (seen !== last) yield status
    last = seen
    if (isOver(status)) return
    await pause(POLL_INTERVAL, undefined, signal && { signal }).catch(() => undefined)
  }
}

/** Returns a reader that waits while the database is away, reports that once, and gives `undefined` when cancelled. */
function patientReader<T>(
  ask: () => Promise<T>,
  { signal, tell }: App,
): () => Promise<T | undefined> {
  let hasSeen = false
  let isAway = false
  const reportOnce = () => {
    if (!isAway) tell?.('the database does not answer; waiting for it')
    isAway = true
  }
  return async () => {
    while (!signal?.aborted) {
      const asked = ask().catch(error => (hasSeen ? away(error) : Promise.reject(error)))
      asked.catch(() => {})
      const late = setTimeout(reportOnce, SILENCE)
      const found = await unlessAborted(asked, signal).finally(() => clearTimeout(late))
      hasSeen ||= found !== undefined
      if (found !== undefined) isAway = false
      if (found !== undefined || signal?.aborted) return found
      reportOnce()
      await pause(RETRY_INTERVAL, undefined, signal && { signal }).catch(() => undefined)
    }
    return undefined
  }
}

/** Resolves to `undefined` on cancel. The listener must be removed: the signal outlives each read. */
function unlessAborted<T>(asked: Promise<T>, signal: App['signal']): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(undefined)
    signal?.addEventListener('abort', leave)
    asked.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
  })
}

/** Ignores an unreachable database: the mission continues when it is back. */
function away(error: unknown): undefined {
  if (!(error instanceof WaybillError) || error.code !== 'store-unavailable') throw error
}

function secondsOf(ms: number | null): number {
  return Math.floor((ms ?? 0) / 1000)
}

/** Reports whether a mission has ended. */
export function isOver({ state }: Pick<MissionStatusParts, 'state'>): boolean {
  return state !== 'running' && state !== 'paused'
}
