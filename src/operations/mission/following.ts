import { setTimeout as pause } from 'node:timers/promises'
import { WaybillError } from '../../error.ts'
import type { Store } from '../../store/index.ts'
import { SILENCE } from '../database/waiting.ts'
import type { App } from '../operation.ts'
import type { MissionStatusParts } from './output.ts'
import { statusOf } from './status.ts'

/** How often somebody looks whether a mission has come further, in milliseconds. */
const BETWEEN_LOOKS = 100
/** The same of a database that is away. */
const BETWEEN_TRIES = 500

/**
 * How far a mission is, again each time that it has come further; ends with the mission, or when nobody looks any more.
 * `ticking` is for people: then that another second has passed is told as well.
 */
export async function* followMission(
  store: Store,
  { tenant, mission }: { readonly tenant: string; readonly mission: string },
  app: App,
  { ticking = false }: { readonly ticking?: boolean } = {},
): AsyncGenerator<MissionStatusParts> {
  const { signal } = app
  const look = lookerAt(() => store.tenant(tenant, tx => statusOf(tx, tenant, mission)), app)
  let last = ''
  for (let status = await look(); status; status = await look()) {
    const seen = JSON.stringify({
      ...status,
      tasks: status.tasks.map(({ ms, ...task }) => ({ ...task, ms: ticking && secondsOf(ms) })),
    })
    if (seen !== last) yield status
    last = seen
    if (isOver(status)) return
    await pause(BETWEEN_LOOKS, undefined, signal && { signal }).catch(() => undefined)
  }
}

/** Looks again and again; waits for a database that has answered before, says so once, and gives nothing to who wants to leave. */
function lookerAt<T>(ask: () => Promise<T>, { signal, tell }: App): () => Promise<T | undefined> {
  let hasSeen = false
  let isAway = false
  const tellOnce = () => {
    if (!isAway) tell?.('the database is away, and is waited for')
    isAway = true
  }
  return async () => {
    while (!signal?.aborted) {
      const asked = ask().catch(error => (hasSeen ? away(error) : Promise.reject(error)))
      asked.catch(() => {})
      const late = setTimeout(tellOnce, SILENCE)
      const found = await unlessLeft(asked, signal).finally(() => clearTimeout(late))
      hasSeen ||= found !== undefined
      if (found !== undefined) isAway = false
      if (found !== undefined || signal?.aborted) return found
      tellOnce()
      await pause(BETWEEN_TRIES, undefined, signal && { signal }).catch(() => undefined)
    }
    return undefined
  }
}

/** A database that does not answer keeps nobody. What lives as long as the looking must not keep what each look has found. */
function unlessLeft<T>(asked: Promise<T>, signal: App['signal']): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(undefined)
    signal?.addEventListener('abort', leave)
    asked.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
  })
}

/** A mission goes on when its database is back, and whoever looks sees it. */
function away(error: unknown): undefined {
  if (!(error instanceof WaybillError) || error.code !== 'store-unavailable') throw error
}

function secondsOf(ms: number | null): number {
  return Math.floor((ms ?? 0) / 1000)
}

/** Whether nothing more will happen to a mission by itself. */
export function isOver({ state }: Pick<MissionStatusParts, 'state'>): boolean {
  return state !== 'running' && state !== 'paused'
}
