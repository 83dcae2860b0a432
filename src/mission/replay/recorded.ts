import { listed } from '../../contract/index.ts'
import type { ReadEntry } from '../../governance/index.ts'
import type { MissionSnapshot, MissionTask } from '../../store/index.ts'
import { valueDigest } from '../approvals/proposal.ts'
import type { Payload } from '../runner.ts'
import type { Difference } from './codes.ts'
import { inDecided, tampered } from './decided.ts'
import { partAt, predicateOf, statedIn } from './decision.ts'
import type { Evidence } from './evidence.ts'
import { doneBefore, type Planned, placeOfTask, type Tasks } from './tasks.ts'

/** Compares a mission with a log; reports differences and entries missing on either side. */
export async function* inLog(
  snapshot: MissionSnapshot,
  plan: Tasks,
  held: { readonly tenant: string; readonly evidence: Evidence },
): AsyncIterable<Difference> {
  const tampered = new Set<string>()
  for await (const found of everything(snapshot, plan, held)) {
    // Several keys may find the same entry.
    if (found.code === 'replay/entry-tampered' && tampered.has(found.path)) continue
    if (found.code === 'replay/entry-tampered') tampered.add(found.path)
    yield found
  }
}

async function* everything(
  snapshot: MissionSnapshot,
  plan: Tasks,
  { tenant, evidence }: { readonly tenant: string; readonly evidence: Evidence },
): AsyncIterable<Difference> {
  const { mission, artifacts, tasks } = snapshot
  const entries = new Map<string, number>()
  const inputs = new Set(artifacts.map(({ id, digest }) => `${digest} ${id}`))
  for (const task of tasks) {
    const work = { mission, task, planned: plan.planned.get(task.task), inputs }
    const entry = yield* inHandoff(work, evidence)
    if (entry !== undefined) entries.set(task.task, entry)
    yield* inAnswer(mission, task, evidence)
  }
  yield* inOrder(plan, entries)
  yield* inDecided(snapshot, tenant, evidence)
}

/** States that require an accepted handoff. */
const HANDED: readonly string[] = ['done', 'waiting']

/** A task of a mission. */
interface Work {
  readonly mission: string
  readonly task: MissionTask
  /** Undefined when its graph was erased. */
  readonly planned: Planned | undefined
  /** Possible inputs of its agent: digest and id of each artifact. */
  readonly inputs: ReadonlySet<string>
}

async function* inHandoff(
  work: Work,
  evidence: Evidence,
): AsyncGenerator<Difference, number | undefined> {
  const { task, state, handoff } = work.task
  const path = `${placeOfTask(task)}/handoff`
  if (handoff === null) {
    if (HANDED.includes(state)) yield missing(path, `the task is ${state} but names no handoff`)
    return undefined
  }
  const [accepted] = await evidence.find(`accepted:${handoff}`)
  if (accepted) {
    yield* tampered(accepted)
    const says = predicateOf(accepted)
    const others = says ? differencesInHandoff(says, work) : []
    if (others.length === 0) return accepted.index
    yield {
      code: 'replay/handoff-differs',
      path,
      message: `entry ${accepted.index}, the acceptance of ${handoff}, is for ${listed(others)}`,
    }
    return undefined
  }
  // A refused handoff is in the log too, but its agent did not run.
  const others = HANDED.includes(state) ? [] : await evidence.find(`id:${handoff}`)
  if (others.length === 0)
    yield missing(path, `the log does not record that the handoff ${handoff} was accepted`)
  return undefined
}

/** Checks who answered a task. An unfinished task's answer may have been refused since. */
async function* inAnswer(
  mission: string,
  { task, state, handoff, answer, answeredBy }: MissionTask,
  evidence: Evidence,
): AsyncIterable<Difference> {
  const isOpen = answer !== null
  if (!answeredBy && !isOpen && (state !== 'done' || handoff === null)) return
  const found = (await evidence.find(`id:${handoff}`)).map(({ entry }) => entry)
  // An erased entry cannot be compared; an unrecorded answer is never used.
  const isErased = found.some(one => one.is === 'erased' && one.digest === answeredBy?.entry)
  if (isErased && !isOpen) return
  const answers = found.flatMap(one => (isAnswerTo(one, { mission, task }) ? [one] : []))
  if (!answeredBy && !isOpen && answers.length === 0) return
  const says = answers.find(({ digest }) => digest === answeredBy?.entry)?.statement.predicate
  const isTheirs = says && says.by === answeredBy?.by && says.standing === answeredBy?.standing
  if (isTheirs && isOpen && statedIn(says.stated).sha256 !== valueDigest(answer)) {
    const path = `${placeOfTask(task)}/answer`
    const message = `it differs from the answer by ${answeredBy?.by} in the log`
    yield { code: 'replay/answer-differs', path, message }
  }
  if (isTheirs) return
  const path = `${placeOfTask(task)}/answeredBy`
  const message = `the log does not record an answer by ${answeredBy?.by ?? 'an unnamed person'}`
  yield { code: 'replay/answer-differs', path, message }
}

type Entry = Extract<ReadEntry, { is: 'entry' }>

function isAnswerTo(
  one: ReadEntry,
  { mission, task }: { mission: string; task: string },
): one is Entry {
  if (one.is !== 'entry' || one.kind !== 'task-answer') return false
  const stated = statedIn(one.statement.predicate.stated)
  return String(stated.mission).toLowerCase() === mission && stated.task === task
}

/** Reports tasks handed over before their dependencies; a finished task is never handed over again. */
function* inOrder(plan: Tasks, entries: ReadonlyMap<string, number>): Iterable<Difference> {
  for (const [task, entry] of entries)
    for (const { task: other } of doneBefore(task, plan)) {
      const before = entries.get(other)
      if (before === undefined || before < entry) continue
      const message = `the task was handed over by entry ${entry}, before its dependency '${other}' by entry ${before}`
      yield { code: 'replay/task-order', path: `${placeOfTask(task)}/handoff`, message }
    }
}

function missing(path: string, message: string): Difference {
  return { code: 'replay/handoff-missing', path, message }
}

/** The differences between an accepted handoff and its task. */
function differencesInHandoff(
  says: Payload,
  { mission, task: { task, agent }, planned, inputs }: Work,
): readonly string[] {
  const request = partAt(says, 'document', 'context', 'request')
  const { mission_id, task_id, artifact_ids, artifact_digests } = partAt(request, 'input_data')
  const { asked } = planned ?? {}
  const ids = Array.isArray(artifact_ids) ? artifact_ids : []
  const digests = Array.isArray(artifact_digests) ? artifact_digests : []
  const checks: Readonly<Record<string, boolean>> = {
    'another mission': String(mission_id).toLowerCase() === mission,
    'another task': task_id === task,
    'another agent': says.to === agent,
    'another objective': !asked || request.description === asked.description,
    'other criteria': !asked || request.expected_output === asked.expected_output,
    'other inputs': ids.every((id, at) => inputs.has(`${String(digests[at])} ${String(id)}`)),
  }
  return Object.entries(checks).flatMap(([what, isEqual]) => (isEqual ? [] : [what]))
}
