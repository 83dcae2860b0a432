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

/** Whoever stops gives back what is still his: where others have the task already, or nobody is to, that changes nothing. */
export const STOPPED: Ending = { is: 'released', after: 0, usage: NOTHING }

/** An attempt that ends, and how. */
interface EndedAttempt {
  readonly store: Store
  readonly leaving: Leaving
  readonly ending: Ending
}

/** Ends attempts together. */
export type Ends = Batcher<EndedAttempt, void>

/** Opens what the attempts of one worker end by. */
export function openEnds(): Ends {
  return new Batcher({
    tenantOf: ({ leaving }) => leaving.attempt.tenant,
    // What a mission is after a step follows from what it was before.
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
  // Everybody takes the rows of missions in one order, so that nobody has what another waits for.
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
  /** Ids that are taken are not looked at again. */
  readonly isLast: boolean
}

/**
 * Stores how an attempt ends; where that cannot be stored, that it failed. Nothing is stored where artifacts have to be
 * examined again, with what others have stored meanwhile: the mission has changed, or an id is taken.
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
    // Its end may be stored, and its worker not have heard so.
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
  // Whatever an ending brings that cannot be stored would be refused however often the agent is asked.
  const isTold = ending.is === 'done' || (ending.is !== 'released' && isRefusedValue(error))
  if (!isTold || isAway(error)) throw error
  const { usage } = ending
  const failed = shop.closed?.() ? { ...STOPPED, usage } : notTaken(error, usage)
  await endAlone({ store: shop.store, leaving, ending: failed }).catch(unlessOvertaken)
}

/** Whether an id of an artifact or a task is that of another one. */
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

/** Nobody else has to wait until thousands of new tasks are stored. */
function isLarge(ending: Ending): boolean {
  return ending.is === 'done' && ending.plans.length > 0
}

function unlessOvertaken(error: unknown): void {
  if (!(error instanceof Overtaken)) throw error
}
