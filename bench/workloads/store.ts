import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { submitMission } from '../../src/mission/run/submit.ts'
import { openStore, type Store, startEmbedded, stopEmbedded } from '../../src/store/index.ts'
import { openStateFolder } from '../../src/workspace/index.ts'
import { startingIn } from '../../test/embedded.ts'
import { envelopeOf, exampleOf, graphOf, type Payload } from '../../test/mission-payloads.ts'

/** Runs work with a database on a separate server that flushes every commit to disk. */
export async function withDatabase<T>(
  folder: string,
  work: (database: { readonly store: Store; readonly raw: pg.Pool }) => Promise<T>,
): Promise<T> {
  const { url } = await startEmbedded(openStateFolder(folder), startingIn(folder))
  const store = await openStore({ url })
  const raw = new pg.Pool({ connectionString: url, max: 8 })
  try {
    await store.migrate()
    return await work({ store, raw })
  } finally {
    await raw.end()
    await store.close()
    await stopEmbedded(openStateFolder(folder))
  }
}

/** The tenant of the missions. */
export const TENANT = 'acme'

/** Ten tasks in seven waves. */
export const TEN: Readonly<Record<string, readonly string[]>> = {
  a: [],
  b: ['a'],
  c: ['a'],
  d: ['b', 'c'],
  e: ['d'],
  f: ['d'],
  g: ['d'],
  h: ['e', 'f', 'g'],
  i: ['h'],
  j: ['i'],
}

/** The last task. */
export const LAST = 'j'

/** The envelope and the graph of a mission of workers. */
export function missionOf(tasks: Readonly<Record<string, readonly string[]>>): {
  readonly mission: string
  readonly envelope: Payload
  readonly graph: Payload
} {
  const mission = randomUUID()
  const graph = graphOf(mission, tasks)
  const workers = (graph.tasks as Payload[]).map(task => ({
    ...task,
    role_type: 'worker',
    allowed_tools: [],
    required_data_scopes: [],
  }))
  return {
    mission,
    envelope: envelopeOf(mission, TENANT, { time_budget_ms: 3_600_000 }),
    graph: { ...graph, tasks: workers },
  }
}

const RESULT = exampleOf('worker-result.v1')

/** What a worker returns for a task. */
export function resultOf(mission: string, task: string, more: Payload = {}): Payload {
  const { actor_id: _, tenant_id: __, ...result } = RESULT
  return {
    ...result,
    mission_id: mission,
    task_id: task,
    result_id: `wrk_${randomUUID()}`,
    tool_trace_refs: [],
    created_at: new Date().toISOString(),
    ...more,
  }
}

/** Starts such a mission, with the same agent for every task. */
export async function begin(store: Store, tasks: Readonly<Record<string, readonly string[]>>) {
  const made = missionOf(tasks)
  const plans = Object.keys(tasks).map(task => ({
    task,
    agent: 'domain-05-product',
    prompt: null,
    retries: { limit: 0, first: 1, longest: 1 },
  }))
  await submitMission(store, { ...made, decisions: [], plans, template: null })
  return made
}
