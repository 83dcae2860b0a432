import { listed } from '../../contract/index.ts'
import { formatPointer } from '../../document/index.ts'
import type { ReadEntry } from '../../governance/index.ts'
import type { MissionDecision, MissionSnapshot, MissionTask } from '../../store/index.ts'
import type { Payload } from '../runner.ts'
import type { Difference } from './codes.ts'
import { differencesFrom, entryOf, isSame, partAt, predicateOf, statedIn } from './decision.ts'
import type { Evidence, FoundEntry } from './evidence.ts'
import { doneBefore, placeOfTask, type Tasks } from './tasks.ts'

/** What a log says otherwise than a mission, or not at all. */
export async function* inLog(
  { mission, tasks, decisions }: MissionSnapshot,
  plan: Tasks,
  evidence: Evidence,
): AsyncIterable<Difference> {
  const entries = new Map<string, number>()
  for (const task of tasks) {
    const entry = yield* inHandoff(mission, task, evidence)
    if (entry !== undefined) entries.set(task.task, entry)
    yield* inAnswer(mission, task, evidence)
  }
  yield* inOrder(plan, entries)
  for (const decision of decisions) yield* inDecision(mission, decision, evidence)
}

/** States that only a task reaches which was handed to its agent. */
const HANDED: readonly string[] = ['done', 'waiting']

async function* inHandoff(
  mission: string,
  { task, state, handoff, agent }: MissionTask,
  evidence: Evidence,
): AsyncGenerator<Difference, number | undefined> {
  const path = `${placeOfTask(task)}/handoff`
  if (handoff === null) {
    if (HANDED.includes(state))
      yield missing(path, `it is ${state}, and no handoff is named by which its agent got it`)
    return undefined
  }
  const [accepted] = await evidence.find(`accepted:${handoff}`)
  if (accepted) {
    yield* tampered(accepted)
    const says = predicateOf(accepted)
    if (!says || isAbout(says, { mission, task, agent })) return accepted.index
    yield {
      code: 'replay/handoff-differs',
      path,
      message: `entry ${accepted.index} is the acceptance of ${handoff}, and of another task, mission or agent`,
    }
    return undefined
  }
  // One that was refused is in the log as well, and its agent was not run.
  const others = HANDED.includes(state) ? [] : await evidence.find(`id:${handoff}`)
  if (others.length === 0)
    yield missing(path, `the log has no entry that the handoff ${handoff} was accepted`)
  return undefined
}

/** The log names whose answer a task went on with. Where it is not done, that one may have been refused since. */
async function* inAnswer(
  mission: string,
  { task, state, handoff, answeredBy }: MissionTask,
  evidence: Evidence,
): AsyncIterable<Difference> {
  if (!answeredBy && (state !== 'done' || handoff === null)) return
  const found = (await evidence.find(`id:${handoff}`)).map(({ entry }) => entry)
  // Of one that was erased nothing more is known.
  if (found.some(one => one.is === 'erased' && one.digest === answeredBy?.entry)) return
  const answers = found.flatMap(one => (isAnswerTo(one, { mission, task }) ? [one] : []))
  if (!answeredBy && answers.length === 0) return
  const says = answers.find(({ digest }) => digest === answeredBy?.entry)?.statement.predicate
  if (says && says.by === answeredBy?.by && says.standing === answeredBy?.standing) return
  const path = `${placeOfTask(task)}/answeredBy`
  const message = `the log does not say that it was answered by ${answeredBy?.by ?? 'nobody'}`
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

/** What was handed over before what it depends on: a task that is done is handed over no more. */
function* inOrder(plan: Tasks, entries: ReadonlyMap<string, number>): Iterable<Difference> {
  for (const [task, entry] of entries)
    for (const { task: other } of doneBefore(task, plan)) {
      const before = entries.get(other)
      if (before === undefined || before < entry) continue
      const message = `it was handed over by entry ${entry}, and '${other}', which it depends on, only by entry ${before}`
      yield { code: 'replay/task-order', path: `${placeOfTask(task)}/handoff`, message }
    }
}

function missing(path: string, message: string): Difference {
  return { code: 'replay/handoff-missing', path, message }
}

function isAbout(
  says: Payload,
  { mission, task, agent }: { mission: string; task: string; agent: string },
): boolean {
  const input = partAt(says, 'document', 'context', 'request', 'input_data')
  return (
    String(input.mission_id).toLowerCase() === mission &&
    input.task_id === task &&
    says.to === agent
  )
}

async function* inDecision(
  mission: string,
  decided: MissionDecision,
  evidence: Evidence,
): AsyncIterable<Difference> {
  const { proposal, decision, outcome } = decided
  const path = formatPointer(['decisions', proposal])
  const found = await entryOf(decided, evidence)
  if (!found) {
    const message = `that it was ${decision} is not in the log`
    yield { code: 'replay/decision-unrecorded', path, message }
    return
  }
  yield* tampered(found)
  const says = predicateOf(found)
  if (!says) return
  const members = differencesFrom(found, { mission, ...decided })
  yield* differing(path, `entry ${found.index} records another decision`, members)
  const { decision: id } = partAt(says, 'ids')
  if (outcome) yield* inOutcome(path, outcome, await evidence.find(`written-back:${String(id)}`))
}

function* inOutcome(
  path: string,
  { state, outcome }: NonNullable<MissionDecision['outcome']>,
  [written]: readonly FoundEntry[],
): Iterable<Difference> {
  if (!written) {
    const message = `that it was ${state} is not in the log`
    yield { code: 'replay/decision-unrecorded', path, message }
    return
  }
  yield* tampered(written)
  const says = predicateOf(written)
  if (!says) return
  const { code, message } = partAt(outcome)
  const members = Object.entries({ outcome: state, code, message })
  const others = members.filter(([member, value]) => !isSame(value, says[member]))
  const names = others.map(([member]) => member)
  yield* differing(path, `entry ${written.index} records another outcome`, names)
}

function* differing(path: string, what: string, members: readonly string[]): Iterable<Difference> {
  if (members.length === 0) return
  const message = `${what}: it says something else of ${listed(members)}`
  yield { code: 'replay/decision-differs', path, message }
}

function* tampered({ index, entry }: FoundEntry): Iterable<Difference> {
  if (entry.is === 'differs' || entry.is === 'unreadable')
    yield {
      code: 'replay/entry-tampered',
      path: `/entries/${index}`,
      message: `entry ${index} of the log is not what was recorded`,
    }
}
