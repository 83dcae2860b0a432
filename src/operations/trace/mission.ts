import { existsSync } from 'node:fs'
import { WaybillError } from '../../error.ts'
import type { TraceStep } from '../../governance/index.ts'
import type { listDependencies, MissionSnapshot } from '../../store/index.ts'
import { stateFolder } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import type { MissionStoryParts } from './mission-output.ts'

/** How the id of a mission is written; it is kept in small letters. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What to find in the database. */
interface MissionQuery {
  readonly id: string
  readonly tenant: string
  readonly limit: number
  /** The origin of this repository's log. */
  readonly origin: string | null
  readonly trace: { readonly steps: readonly TraceStep[]; readonly kinds: readonly string[] }
}

/** A mission, and whether it has more entries than the limit. */
export interface MissionStory {
  readonly story: MissionStoryParts | null
  readonly more: boolean
}

/** How many other missions with the same id are named. */
const MOST_NAMED = 5

const NOTHING: MissionStory = { story: null, more: false }

/**
 * Finds the mission with this id, the one of all log entries about the id, or the newest that contains the id.
 *
 * Starts no embedded server when the log has entries without a mission; an unavailable database is reported and not
 * an error.
 */
export async function missionOf(query: MissionQuery, app: App): Promise<MissionStory> {
  const named = namedBy(query)
  const mayStart = named !== undefined || query.trace.steps.length === 0
  if (!(await hasDatabase(app, mayStart))) return NOTHING
  try {
    return await read(named, query, app)
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    app.tell?.(`the mission database was not queried: ${error.message}`)
    return NOTHING
  }
}

/** Returns the only mission in the log entries; an agent or session may be part of several. */
function namedBy({ trace: { steps, kinds }, id }: MissionQuery): string | undefined {
  if (kinds.includes('mission')) return id
  const missions = new Set(steps.flatMap(({ entry }) => entry.ids.mission ?? []))
  const [only] = missions
  return missions.size === 1 && only !== undefined && UUID.test(only) ? only : undefined
}

async function hasDatabase(app: App, mayStart: boolean): Promise<boolean> {
  if (app.databaseUrl !== undefined) return true
  const folder = stateFolder(app.root)
  if (!existsSync(folder)) return false
  const { describeEmbedded } = await import('../../store/index.ts')
  try {
    const { data, running } = await describeEmbedded(folder, { path: app.environment?.PATH ?? '' })
    return running !== undefined || (mayStart && data !== undefined)
  } catch (error) {
    if (error instanceof WaybillError) return false
    throw error
  }
}

async function read(
  named: string | undefined,
  query: MissionQuery,
  app: App,
): Promise<MissionStory> {
  const id = UUID.test(query.id) ? query.id.toLowerCase() : query.id
  const [{ withStore }, { findMissionsWith, listDependencies, readSnapshot }, { filesOf }] =
    await Promise.all([
      import('../mission/open.ts'),
      import('../../store/index.ts'),
      import('./files.ts'),
    ])
  const found = await withStore(app, store =>
    store.tenant(query.tenant, async tx => {
      const among = named === undefined ? await findMissionsWith(tx, id, MOST_NAMED + 1) : [named]
      const [mission, ...others] = among
      const snapshot = mission === undefined ? undefined : await readSnapshot(tx, mission)
      return snapshot && { snapshot, others, waits: await listDependencies(tx, snapshot.mission) }
    }),
  )
  if (!found) return NOTHING
  const { snapshot, waits, others } = found
  if (others.length > 0) app.tell?.(`other missions with this id: ${others.join(', ')}`)
  const files = filesOf(snapshot, { root: app.root, origin: query.origin })
  return storyOf(snapshot, { waits, files }, query)
}

interface MissionParts {
  readonly waits: Awaited<ReturnType<typeof listDependencies>>
  readonly files: MissionStoryParts['files']
}

function storyOf(
  snapshot: MissionSnapshot,
  { waits, files }: MissionParts,
  { tenant, limit }: Pick<MissionQuery, 'tenant' | 'limit'>,
): MissionStory {
  const { run, tasks, artifacts, outputs, decisions, toolCalls } = snapshot
  const before = new Map<string, string[]>()
  for (const { task, dependsOn } of waits)
    before.set(task, [...(before.get(task) ?? []), dependsOn])
  const by = new Map(outputs.map(({ name, id, task }) => [`${name} ${id}`, task]))
  const story = {
    mission: snapshot.mission,
    tenant,
    state: run.state,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    tasks: tasks.slice(0, limit).map(({ task, agent, state, attempt, handoff, reason }) => ({
      ...{ task, agent, state, attempt, handoff },
      dependsOn: (before.get(task) ?? []).sort(),
      reason: reason?.code ?? null,
    })),
    artifacts: artifacts.slice(0, limit).map(({ name, id, digest, payload }) => ({
      ...{ schemaName: name, id, digest },
      task: by.get(`${name} ${id}`) ?? null,
      erased: payload === null,
    })),
    files: files.slice(0, limit),
    decisions: [
      ...artifacts
        .filter(({ name }) => name === 'policy_decision')
        .map(({ id, digest, payload }) => ({
          ...{ kind: 'policy' as const, id, digest, by: null },
          decision: String(payload?.decision ?? 'erased'),
          at: typeof payload?.created_at === 'string' ? payload.created_at : null,
        })),
      ...decisions.map(({ proposal, decision, decidedBy, digest, decidedAt }) => ({
        ...{ kind: 'write-back' as const, id: proposal, decision, by: decidedBy, digest },
        at: decidedAt,
      })),
    ].slice(0, limit),
    toolCalls: toolCalls.slice(0, limit).map(call => ({
      ...{ ref: call.ref, task: call.task, attempt: call.attempt, tool: call.tool },
      decision: call.decision,
      arguments: call.argumentsDigest,
      result: call.resultDigest,
      isError: call.isError,
      at: call.startedAt,
    })),
  }
  const more = [tasks, artifacts, files, decisions, toolCalls].some(list => list.length > limit)
  return { story, more }
}
