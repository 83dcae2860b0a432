import { WaybillError } from '../../error.ts'
import { isRefusedValue, Last, type Store } from '../../store/index.ts'
import { isAway } from '../patience.ts'
import { allOf, Batcher } from './batcher.ts'
import {
  Changed,
  type Ending,
  endAttempt,
  isProposal,
  type Leaving,
  NOTHING,
  Overtaken,
} from './endings.ts'
import { notTaken } from './failure.ts'
import type { WorkerContext } from './worker-context.ts'

/** The ending of a stopped attempt: releases the task if it still belongs to this worker. */
export const STOPPED: Ending = { is: 'released', after: 0, usage: NOTHING }

/** An attempt and its ending. */
interface EndedAttempt {
  readonly store: Store
  readonly leaving: Leaving
  readonly ending: Ending
}

/** Ends several attempts in one transaction. */
export type Ends = Batcher<EndedAttempt, void>

/** Creates the batcher that ends a worker's attempts. */
export function openEnds(): Ends {
  return new Batcher({
    tenantOf: ({ leaving }) => leaving.attempt.tenant,
    // The state of a mission after a step depends on the step before.
    nameOf: ({ leaving }) => leaving.attempt.mission,
    together: endTogether,
    alone: endAlone,
  })
}

async function endAlone({ store, leaving, ending }: EndedAttempt): Promise<void> {
  await store.tenant(leaving.attempt.tenant, tx => endAttempt(tx, leaving, ending))
}

async function endTogether(
  tenant: string,
  all: readonly EndedAttempt[],
): Promise<readonly undefined[]> {
  const [{ store }] = all as [EndedAttempt]
  // Lock mission rows in id order to avoid deadlock.
  const sorted = all.toSorted((a, b) => (missionOf(a) < missionOf(b) ? -1 : 1))
  await store.tenant(tenant, async tx => {
    const lasts = await allOf(sorted.map(({ leaving, ending }) => endAttempt(tx, leaving, ending)))
    return new Last(allOf(lasts.flatMap(last => last?.asked ?? [])))
  })
  return []
}

function missionOf({ leaving }: EndedAttempt): string {
  return leaving.attempt.mission
}

interface Leave {
  readonly shop: WorkerContext
  readonly ends: Ends
  /** Whether taken ids are final. */
  readonly isLast: boolean
}

/**
 * Stores the ending of an attempt; if it cannot be stored, stores a failure. Stores nothing if the artifacts must be
 * checked again because the mission changed or an id is taken.
 */
export async function leave(
  leaving: Leaving,
  ending: Ending,
  how: Leave,
): Promise<'stored' | 'changed' | 'taken'> {
  const { shop, isLast } = how
  shop.onStep?.('end')
  const proposes = ending.is === 'done' && ending.artifacts.some(isProposal)
  const record = async () => {
    if (proposes) await shop.recordDecisions(leaving.attempt.tenant)
  }
  try {
    await (proposes ? propose(leaving, ending, shop) : store(leaving, ending, how))
    shop.onStep?.('leave')
  } catch (error) {
    if (error instanceof Changed) return 'changed'
    if (!isLast && isTaken(error)) return 'taken'
    // The ending may be stored although the worker got no confirmation.
    if (!(error instanceof Overtaken)) {
      await leaveUnstored(leaving, ending, { shop, error })
      return 'stored'
    }
  }
  await record()
  return 'stored'
}

async function leaveUnstored(
  leaving: Leaving,
  ending: Ending,
  { shop, error }: { readonly shop: WorkerContext; readonly error: unknown },
): Promise<void> {
  // Content that the database refuses would be refused on every retry.
  const isReported = ending.is === 'done' || (ending.is !== 'released' && isRefusedValue(error))
  if (!isReported || isAway(error)) throw error
  const { usage } = ending
  const failed = shop.closed?.() ? { ...STOPPED, usage } : notTaken(error, usage)
  await endAlone({ store: shop.store, leaving, ending: failed }).catch(unlessOvertaken)
}

/** Whether an artifact or task id is taken. */
function isTaken(error: unknown): boolean {
  return error instanceof WaybillError && error.code === 'conflict'
}

function propose(leaving: Leaving, ending: Ending, shop: WorkerContext): Promise<void> {
  const { attempt } = leaving
  return shop.store.tenant(attempt.tenant, async tx => {
    const last = await endAttempt(tx, leaving, ending)
    await last?.asked
    return shop.waive(tx, attempt)
  })
}

function store(leaving: Leaving, ending: Ending, { shop, ends }: Leave): Promise<void> {
  const left = { store: shop.store, leaving, ending }
  return isLarge(ending) ? endAlone(left) : ends.ask(left)
}

/** Endings with many new tasks run alone, so that others do not wait. */
function isLarge(ending: Ending): boolean {
  return ending.is === 'done' && ending.plans.length > 0
}

function unlessOvertaken(error: unknown): void {
  if (!(error instanceof Overtaken)) throw error
}
