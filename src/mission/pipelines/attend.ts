import { readTask, type Store } from '../../store/index.ts'
import type { Examination, Examined, Workshop } from '../run/workshop.ts'
import type { Assignment, Payload } from '../runner.ts'
import { type PipelineAttempt, type PipelineKeeper, pipelineOf } from './keeper.ts'

type Shop = Omit<Workshop, 'worker'>

/** A workshop that keeps the orchestration files of missions true, where they are made of one. */
export function attendPipelines(shop: Shop, keeper: PipelineKeeper): Shop {
  const { store } = shop
  return {
    ...shop,
    async run(agent, assignment, surroundings) {
      const isContinued = surroundings.continued !== undefined
      const which = attemptOf(assignment, isContinued)
      if (!which) return shop.run(agent, assignment, surroundings)
      const begun = await keeper.begin(which, store)
      if ('refused' in begun) return { is: 'failed', ...begun.refused, mayRetry: false }
      return shop.run(agent, { ...assignment, session: begun.session }, surroundings)
    },
    examine: (answer, about) => examined(answer, about, { shop, keeper }),
    async afterwards(attempt, envelope) {
      await shop.afterwards?.(attempt, envelope)
      const which = envelope && pipelineOf(envelope)
      if (which) await keeper.follow(which, store)
    },
  }
}

function attemptOf(
  { mission, task, attempt }: Pick<Assignment, 'mission' | 'task' | 'attempt'>,
  isContinued: boolean,
): PipelineAttempt | undefined {
  const of = pipelineOf(mission as unknown as Payload)
  return of && { ...of, address: task.task_id, attempt, isContinued }
}

async function examined(
  answer: unknown,
  about: Examined,
  { shop, keeper }: { readonly shop: Shop; readonly keeper: PipelineKeeper },
): Promise<Examination> {
  const which = attemptOf(about.assignment, false)
  if (!which) return shop.examine(answer, about)
  const judged = await keeper.judge(which, answer)
  if ('faults' in judged) return { artifacts: [], plans: [], ...judged }
  const found = await shop.examine(judged.answer, about)
  // What a newer attempt has written is not written over.
  if (found.faults.length > 0 || !(await isNewest(shop.store, which))) return found
  const faults = await judged.keep()
  return faults.length === 0 ? found : { artifacts: [], plans: [], faults, isFinal: true }
}

function isNewest(
  store: Store,
  { tenant, mission, address, attempt }: PipelineAttempt,
): Promise<boolean> {
  return store.tenant(tenant, async tx => {
    const found = await readTask(tx, mission, address)
    return found?.state === 'running' && found.attempt === attempt
  })
}
