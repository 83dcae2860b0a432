import { setTimeout as pause } from 'node:timers/promises'
import { isAway } from '../../mission/index.ts'
import type { Store } from '../../store/index.ts'
import { SILENCE } from '../database/waiting.ts'
import type { App } from '../operation.ts'
import type { MissionStatusParts } from './output.ts'
import { statusOf } from './status.ts'

/** How often the status of a mission is read, in milliseconds. */
const POLL_INTERVAL = 100
/** How often an unreachable database is tried again, in milliseconds. */
const RETRY_INTERVAL = 500

/** Options of following a mission. */
interface Following {
  /** Whether to yield once a second too while a task runs, for terminals. */
  readonly ticking?: boolean
  /** Whether the mission was read before: then an unreachable database is waited for from the start. */
  readonly isKnown?: boolean
}

/** Yields the status of a mission each time it changes; ends with the mission or the signal. */
export async function* followMission(
  store: Store,
  { tenant, mission }: { readonly tenant: string; readonly mission: string },
  app: App,
  { ticking = false, isKnown = false }: Following = {},
): AsyncGenerator<MissionStatusParts> {
  const { signal } = app
  const ask = () => store.tenant(tenant, tx => statusOf(tx, tenant, mission))
  const read = patientReader(ask, app, isKnown)
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
  isKnown: boolean,
): () => Promise<T | undefined> {
  let hasSeen = isKnown
  let isWaiting = false
  const reportOnce = () => {
    if (!isWaiting) tell?.('the database does not answer; waiting for it')
    isWaiting = true
  }
  return async () => {
    while (!signal?.aborted) {
      const asked = ask().catch(error => (hasSeen ? away(error) : Promise.reject(error)))
      asked.catch(() => {})
      const late = setTimeout(reportOnce, SILENCE)
      const found = await unlessAborted(asked, signal).finally(() => clearTimeout(late))
      hasSeen ||= found !== undefined
      if (found !== undefined) isWaiting = false
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
  if (!isAway(error)) throw error
}

function secondsOf(ms: number | null): number {
  return Math.floor((ms ?? 0) / 1000)
}

/** Reports whether a mission has ended. */
export function isOver({ state }: Pick<MissionStatusParts, 'state'>): boolean {
  return state !== 'running' && state !== 'paused'
}
