import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../store/index.ts'
import type { App } from '../operation.ts'
import type { MissionStatusParts } from './output.ts'
import { statusOf } from './status.ts'

/** How often somebody looks whether a mission has come further, in milliseconds. */
const BETWEEN_LOOKS = 100

/**
 * How far a mission is, again each time that it has come further; ends with the mission, or when nobody looks any more.
 * `ticking` is for people: then that another second has passed is told as well.
 */
export async function* followMission(
  store: Store,
  { tenant, mission }: { readonly tenant: string; readonly mission: string },
  { signal }: App,
  { ticking = false }: { readonly ticking?: boolean } = {},
): AsyncGenerator<MissionStatusParts> {
  let last = ''
  while (!signal?.aborted) {
    const status = await store.tenant(tenant, tx => statusOf(tx, tenant, mission))
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

function secondsOf(ms: number | null): number {
  return Math.floor((ms ?? 0) / 1000)
}

/** Whether nothing more will happen to a mission by itself. */
function isOver({ state }: Pick<MissionStatusParts, 'state'>): boolean {
  return state !== 'running' && state !== 'paused'
}
