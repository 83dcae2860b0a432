import { isRefusedValue, Last, type Store } from '../../store/index.ts'
import { isAway } from '../patience.ts'
import type { Payload } from '../runner.ts'
import { type Ending, endAttempt, type Leaving, Overtaken } from './endings.ts'
import { notTaken } from './failure.ts'
import { allOf, Together } from './together.ts'
import type { Workshop } from './workshop.ts'

/** Whoever stops gives back what is still his: where others have the task already, or nobody is to, that changes nothing. */
export const STOPPED: Ending = { is: 'released', after: 0 }

/** An attempt that ends, and how. */
interface Left {
  readonly store: Store
  readonly leaving: Leaving
  readonly ending: Ending
}

/** Ends attempts together. */
export type Ends = Together<Left, void>

/** Opens what the attempts of one worker end by. */
export function openEnds(): Ends {
  return new Together({
    tenantOf: ({ leaving }) => leaving.attempt.tenant,
    // What a mission is after a step follows from what it was before.
    nameOf: ({ leaving }) => leaving.attempt.mission,
    together: endTogether,
    alone: endAlone,
  })
}

async function endAlone({ store, leaving, ending }: Left): Promise<void> {
  await store.tenant(leaving.attempt.tenant, tx => endAttempt(tx, leaving, ending))
}

async function endTogether(tenant: string, all: readonly Left[]): Promise<readonly undefined[]> {
  const [{ store }] = all as [Left]
  // Everybody takes the rows of missions in one order, so that nobody has what another waits for.
  const sorted = all.toSorted((a, b) => (missionOf(a) < missionOf(b) ? -1 : 1))
  await store.tenant(tenant, async tx => {
    const lasts = await allOf(sorted.map(({ leaving, ending }) => endAttempt(tx, leaving, ending)))
    return new Last(allOf(lasts.flatMap(last => last?.asked ?? [])))
  })
  return []
}

function missionOf({ leaving }: Left): string {
  return leaving.attempt.mission
}

interface Leave {
  readonly shop: Workshop
  readonly ends: Ends
}

/** Stores how an attempt ends; where that cannot be stored, that it failed. */
export async function leave(leaving: Leaving, ending: Ending, how: Leave): Promise<void> {
  const { shop } = how
  shop.onStep?.('end')
  const proposes = ending.is === 'done' && ending.artifacts.some(isProposal)
  const record = () => (proposes ? shop.recordDecisions(leaving.attempt.tenant) : undefined)
  try {
    await (proposes ? propose(leaving, ending, shop) : store(leaving, ending, how))
    shop.onStep?.('leave')
    await record()
  } catch (error) {
    // Its end may be stored, and its worker not have heard so.
    if (error instanceof Overtaken) return record()
    // Whatever an ending brings that cannot be stored would be refused however often the agent is asked.
    const isTold = ending.is === 'done' || (ending.is !== 'released' && isRefusedValue(error))
    if (!isTold || isAway(error)) throw error
    const failed = shop.closed?.() ? STOPPED : notTaken(error, ending.usage)
    await endAlone({ store: shop.store, leaving, ending: failed }).catch(unlessOvertaken)
  }
}

function propose(leaving: Leaving, ending: Ending, shop: Workshop): Promise<void> {
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

function isProposal({ schema_name }: Payload): boolean {
  return schema_name === 'writeback_proposal'
}
