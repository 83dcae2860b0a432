import type { ArtifactName, MissionArtifact, MissionSnapshot } from '../../store/index.ts'
import { RETURNED, sortOf } from '../plan/artifacts.ts'
import { placeOf, saidBy } from './artifacts.ts'
import type { Difference } from './codes.ts'
import { placeOfTask, type Tasks } from './tasks.ts'

/** Sorts that only tasks make; packages may come from the runtime as well, and the first graph from whoever ordered. */
const BY_TASKS: ReadonlySet<ArtifactName> = new Set([
  'research_artifact',
  'librarian_pass',
  'worker_result',
  'aggregation_packet',
  'review_packet',
  'writeback_proposal',
])

/** What is wrong with who is said to have produced what, and with what follows from that for the states of tasks. */
export function* inOutputs(snapshot: MissionSnapshot, tasks: Tasks): Iterable<Difference> {
  const { artifacts, outputs } = snapshot
  const byPlace = new Map(artifacts.map(artifact => [placeOf(artifact), artifact]))
  const produced = new Map<string, string>()
  const sorts = new Map<string, Set<string>>()
  const counts = new Map<string, number>()
  for (const output of outputs) {
    const place = placeOf(output as Pick<MissionArtifact, 'name' | 'id'>)
    yield* inPlace(output, counts, tasks)
    yield* inOutput(output, byPlace.get(place), tasks)
    if (produced.has(place))
      yield {
        code: 'replay/task-output',
        path: place,
        message: `both '${produced.get(place)}' and '${output.task}' are said to have produced it`,
      }
    produced.set(place, output.task)
    sorts.set(output.task, (sorts.get(output.task) ?? new Set()).add(output.name))
  }
  yield* unaccounted(artifacts, produced)
  yield* inStates(artifacts, tasks, sorts)
}

/** Whether it is of a task of the mission, and follows what that one has produced before. */
function* inPlace(
  { task, position }: MissionSnapshot['outputs'][number],
  counts: Map<string, number>,
  { runs }: Tasks,
): Iterable<Difference> {
  const path = placeOfTask(task)
  const before = counts.get(task) ?? 0
  counts.set(task, before + 1)
  if (!runs.has(task)) {
    const message = 'it is said to have produced something, and the mission has no such task'
    yield { code: 'replay/task-output', path, message }
  } else if (position !== before) {
    const message = `what it has produced has the number ${position}, and must have ${before}`
    yield { code: 'replay/task-output', path, message }
  }
}

function* inOutput(
  { task, name, digest }: MissionSnapshot['outputs'][number],
  artifact: MissionArtifact | undefined,
  { planned }: Tasks,
): Iterable<Difference> {
  const path = placeOfTask(task)
  if (artifact?.digest !== digest) {
    const what = artifact ? 'has another digest now' : 'is not there'
    const message = `the ${name} with the digest ${digest} that it has produced ${what}`
    yield { code: 'replay/artifact-missing', path, message }
    return
  }
  const role = planned.get(task)?.role
  const returned: readonly string[] = role && Object.hasOwn(RETURNED, role) ? RETURNED[role] : []
  if (role && !returned.includes(name))
    yield {
      code: 'replay/task-output',
      path,
      message: `it is said to have produced a ${name}, which no ${role} returns`,
    }
  const own = sortOf(name)?.task === 'own' ? saidBy(artifact).task_id : task
  if (own !== task)
    yield {
      code: 'replay/task-output',
      path: placeOf(artifact),
      message: `'${task}' is said to have produced it, and it names the task '${own}'`,
    }
}

function* unaccounted(
  artifacts: readonly MissionArtifact[],
  produced: ReadonlyMap<string, string>,
): Iterable<Difference> {
  // The graph that a mission begins with is nobody's; every other is a planner's.
  let begun = false
  for (const artifact of artifacts) {
    const place = placeOf(artifact)
    if (produced.has(place)) continue
    const isFirst = artifact.name === 'mission_task_graph' && !begun
    if (isFirst) begun = true
    const isByTask = BY_TASKS.has(artifact.name) || artifact.name === 'mission_task_graph'
    if (isByTask && !isFirst)
      yield {
        code: 'replay/artifact-unaccounted',
        path: place,
        message: 'no task is said to have produced it',
      }
  }
}

/** Holds the state of each task against what it must have produced, by the artifacts alone where they say whose they are. */
function* inStates(
  artifacts: readonly MissionArtifact[],
  { planned, runs }: Tasks,
  sorts: ReadonlyMap<string, ReadonlySet<string>>,
): Iterable<Difference> {
  const owned = new Set(
    artifacts.flatMap(artifact =>
      sortOf(artifact.name)?.task === 'own' ? [String(saidBy(artifact).task_id)] : [],
    ),
  )
  for (const { task, role } of planned.values()) {
    const state = runs.get(task)?.state
    if (!state || !role || !Object.hasOwn(RETURNED, role)) continue
    const [wanted] = RETURNED[role]
    const isNamed = sortOf(wanted)?.task === 'own'
    const has = sorts.get(task)?.has(wanted) === true && (!isNamed || owned.has(task))
    const isLeft = isNamed ? owned.has(task) : sorts.has(task)
    const path = `${placeOfTask(task)}/state`
    if (state === 'done' && !has)
      yield {
        code: 'replay/task-state',
        path,
        message: `it is done, and there is no ${wanted} of it`,
      }
    if (state !== 'done' && isLeft)
      yield {
        code: 'replay/task-state',
        path,
        message: `it is ${state}, and there are artifacts that it has produced: it must be done`,
      }
  }
}
