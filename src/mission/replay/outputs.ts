import type { ArtifactName, MissionArtifact, MissionSnapshot } from '../../store/index.ts'
import { RETURNED, sortOf } from '../plan/artifacts.ts'
import { placeOf, saidBy } from './artifacts.ts'
import type { Difference } from './codes.ts'
import { placeOfTask, type Tasks } from './tasks.ts'

/** Kinds that only tasks produce; the runtime may also make packages, and the submitter the first graph. */
const BY_TASKS: ReadonlySet<ArtifactName> = new Set([
  'research_artifact',
  'librarian_pass',
  'worker_result',
  'aggregation_packet',
  'review_packet',
  'writeback_proposal',
])

/** Checks the outputs of tasks, and the task states that follow from them. */
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
        message: `both '${produced.get(place)}' and '${output.task}' are recorded as its producer`,
      }
    produced.set(place, output.task)
    sorts.set(output.task, (sorts.get(output.task) ?? new Set()).add(output.name))
  }
  yield* unaccounted(artifacts, produced)
  yield* inStates(artifacts, tasks, sorts)
}

/** Checks that an output belongs to a task of the mission, and its position. */
function* inPlace(
  { task, position }: MissionSnapshot['outputs'][number],
  counts: Map<string, number>,
  { runs }: Tasks,
): Iterable<Difference> {
  const path = placeOfTask(task)
  const before = counts.get(task) ?? 0
  counts.set(task, before + 1)
  if (!runs.has(task)) {
    const message = 'an output names this task, but the mission has no such task'
    yield { code: 'replay/task-output', path, message }
  } else if (position !== before) {
    const message = `an output has the position ${position} but must have ${before}`
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
    const what = artifact ? 'now has another digest' : 'is missing'
    const message = `the ${name} with the digest ${digest} that the task produced ${what}`
    yield { code: 'replay/artifact-missing', path, message }
    return
  }
  const role = planned.get(task)?.role
  const returned: readonly string[] = role && Object.hasOwn(RETURNED, role) ? RETURNED[role] : []
  if (role && !returned.includes(name))
    yield {
      code: 'replay/task-output',
      path,
      message: `a ${name} is recorded as its output, which no ${role} returns`,
    }
  const own = sortOf(name)?.task === 'own' ? saidBy(artifact).task_id : task
  if (own !== task)
    yield {
      code: 'replay/task-output',
      path: placeOf(artifact),
      message: `'${task}' is recorded as its producer, but it names the task '${own}'`,
    }
}

function* unaccounted(
  artifacts: readonly MissionArtifact[],
  produced: ReadonlyMap<string, string>,
): Iterable<Difference> {
  // The first graph has no producer; a planner produces every other.
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
        message: 'no task is recorded as its producer',
      }
  }
}

/** Compares the state of each task with its required outputs, by the artifacts alone if they name their task. */
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
        message: `the task is done but has no ${wanted}`,
      }
    if (state !== 'done' && isLeft)
      yield {
        code: 'replay/task-state',
        path,
        message: `the task is ${state} but has outputs: it must be done`,
      }
  }
}
