import { expect } from 'vitest'
import { logVerify } from '../src/operations/index.ts'
import { artifactTables } from '../src/store/artifact-tables.generated.ts'
import { type ArtifactName, readArtifact, type StoredArtifact } from '../src/store/index.ts'
import type { MissionRepository, Status } from './mission-repository.ts'
import { comesTrue, type Process, processesOf } from './processes.ts'
import { connectRaw, type Raw } from './raw-sql.ts'

/** What the template `brief` comes to, whatever happens meanwhile. */
const BRIEF = [
  'research_artifact',
  'worker_result',
  'worker_result',
  'aggregation_packet',
  'review_packet',
  'writeback_proposal',
]

/** Expects a mission of the template `brief` to be there in full, and nothing of it twice. */
export async function expectBriefOnce(
  { database }: Pick<MissionRepository, 'database'>,
  mission: string,
  { state, reason, tasks, artifacts }: Status,
): Promise<void> {
  expect({ state, reason }).toEqual({ state: 'finished', reason: null })
  expect(tasks.map(one => one.state)).toEqual(tasks.map(() => 'done'))
  expect(artifacts.map(({ schemaName }) => schemaName)).toEqual(BRIEF)
  await withRaw(database.url, async raw => {
    for (const [name, { table }] of Object.entries(artifactTables)) {
      const [{ n } = {}] = await raw.rows(
        'default',
        `select count(*)::integer as n from waybill.${table} where mission_id = $1`,
        [mission],
      )
      expect([name, n]).toEqual([name, countOf(name)])
    }
  })
}

function countOf(name: string): number {
  if (name === 'mission_envelope' || name === 'mission_task_graph') return 1
  // Each of the tasks has its prompts; there are no passes and no decisions.
  if (name === 'prompt_package') return 5
  return BRIEF.filter(one => one === name).length
}

/** What the tasks of a mission have produced, in the order of its status. */
export function outputsOf(
  { database }: Pick<MissionRepository, 'database'>,
  mission: string,
  { artifacts }: Status,
): Promise<readonly StoredArtifact[]> {
  return database.store.tenant('default', async tx => {
    const found: StoredArtifact[] = []
    for (const { schemaName, id } of artifacts) {
      const one = await readArtifact(tx, schemaName as ArtifactName, mission, id)
      if (one) found.push(one)
    }
    return found
  })
}

/** A task as its row has it. */
interface TaskRow {
  readonly task: string
  readonly state: string
  readonly attempt: number
  readonly losses: number
  readonly failures: number
  readonly worker: string | null
  readonly queued: Date
  readonly started: Date | null
}

/** The rows of the tasks of a mission. */
export async function taskRows(raw: Raw, mission: string): Promise<readonly TaskRow[]> {
  const rows = await raw.rows(
    'default',
    `select task_id as task, state, attempt, losses, failures, worker_id as worker,
       queued_at as queued, started_at as started
     from waybill.task_runs where mission_id = $1 order by position`,
    [mission],
  )
  return rows as unknown as readonly TaskRow[]
}

/** Verifies the log of a repository as every reader may. */
export async function expectSoundLog(repository: MissionRepository): Promise<void> {
  const verified = await logVerify.run({}, repository.missionApp())
  // A process that was killed while it published leaves that to the next one, which is reported as well.
  expect(verified.faults.filter(({ severity }) => severity === 'error')).toEqual([])
}

/** Does something on a connection of its own, as the owner. */
export async function withRaw<T>(url: string, work: (raw: Raw) => Promise<T>): Promise<T> {
  const raw = await connectRaw(url)
  try {
    return await work(raw)
  } finally {
    await raw.end()
  }
}

/** Waits until a task of a mission is in a state; gives the mission as it is then. */
export async function taskReaches(
  { peek }: Pick<MissionRepository, 'peek'>,
  mission: string,
  name: string,
  state: string,
  tenant?: string,
): Promise<Status> {
  let status = await peek(mission, tenant)
  const stateOf = () => status.tasks.find(({ task }) => task === name)?.state
  await comesTrue(async () => {
    status = await peek(mission, tenant)
    return stateOf() === state
  }, 120_000)
  expect([name, stateOf()]).toEqual([name, state])
  return status
}

/** The agents that work in a repository at this moment. */
export function agentsOf({ root }: Pick<MissionRepository, 'root'>): readonly Process[] {
  return processesOf(root).filter(({ command }) => command.includes('agents/agent.mjs'))
}
