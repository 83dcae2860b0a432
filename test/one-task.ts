import { randomUUID } from 'node:crypto'
import { returnsOf } from '../src/mission/plan/returns.ts'
import type { Attempt } from '../src/mission/run/durable.ts'
import { type Ending, endAttempt } from '../src/mission/run/endings.ts'
import { submitMission } from '../src/mission/run/submit.ts'
import type { WorkerContext } from '../src/mission/run/worker-context.ts'
import {
  claimTask,
  type Run,
  readRun,
  readTask,
  type Store,
  type TaskRun,
  type Tx,
} from '../src/store/index.ts'
import { envelopeOf, graphOf, type Payload } from './mission-payloads.ts'

/** A mission of a tenant with one task, which is queued, and may be tried nine times more. */
export interface OneTask {
  readonly mission: string
  readonly worker: string
  attempt(number?: number): Attempt
  within<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Begins an attempt, and ends it so. */
  end(ending: Ending, number?: number): Promise<void>
  found(): Promise<{ readonly task: TaskRun | undefined; readonly run: Run | undefined }>
  /** A worker context whose agents need no prompts, tools or data. */
  shop(more?: object): WorkerContext
}

/** Begins such a mission; its envelope has an hour, unless something else is said. */
export async function beginOneTask(store: Store, budgets: Payload = {}): Promise<OneTask> {
  const [mission, worker] = [randomUUID(), randomUUID()]
  const graph = graphOf(mission, { first: [] })
  const tasks = (graph.tasks as Payload[]).map(task => ({ ...task, required_data_scopes: [] }))
  const retries = { limit: 9, first: 1000, longest: 60_000 }
  await submitMission(store, {
    envelope: envelopeOf(mission, 'acme', { time_budget_ms: 3_600_000, ...budgets }),
    graph: { ...graph, tasks },
    decisions: [],
    plans: [{ task: 'first', agent: 'a', prompt: null, retries }],
    template: null,
  })
  const within = <T>(work: (tx: Tx) => Promise<T>) => store.tenant('acme', work)
  const attemptOf = (number = 1) => ({ tenant: 'acme', mission, task: 'first', attempt: number })
  return {
    ...{ mission, worker, within, attempt: attemptOf },
    end: async (ending, number = 1) => {
      const attempt = attemptOf(number)
      await within(async tx => {
        await claimTask(tx, { ...attempt, worker })
        const task = await readTask(tx, mission, 'first')
        if (!task) throw new Error('there is no such task')
        const last = await endAttempt(tx, { attempt, task, worker, handoff: null }, ending)
        await last?.asked
      })
    },
    found: () =>
      within(async tx => ({
        task: await readTask(tx, mission, 'first'),
        run: await readRun(tx, mission),
      })),
    shop: more =>
      ({
        ...{ store, worker, root: '/', environment: {} },
        returnsOf: (role: string) => returnsOf(role as 'worker'),
        promptFor: async () => null,
        toolsFor: () => undefined,
        ...more,
      }) as unknown as WorkerContext,
  }
}
