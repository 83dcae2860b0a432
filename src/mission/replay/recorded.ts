import { formatPointer } from '../../document/index.ts'
import type { MissionDecision, MissionSnapshot, MissionTask } from '../../store/index.ts'
import type { Payload } from '../runner.ts'
import type { Difference } from './codes.ts'
import type { Evidence, FoundEntry } from './evidence.ts'
import { placeOfTask } from './tasks.ts'

/** What a log says otherwise than a mission, or not at all. */
export async function* inLog(
  { mission, tasks, decisions }: MissionSnapshot,
  evidence: Evidence,
): AsyncIterable<Difference> {
  for (const task of tasks) yield* inHandoff(mission, task, evidence)
  for (const decision of decisions) yield* inDecision(mission, decision, evidence)
}

/** States that only a task reaches which was handed to its agent. */
const HANDED: readonly string[] = ['done', 'waiting']

async function* inHandoff(
  mission: string,
  { task, state, handoff, agent }: MissionTask,
  evidence: Evidence,
): AsyncIterable<Difference> {
  const path = `${placeOfTask(task)}/handoff`
  if (handoff === null) {
    if (HANDED.includes(state))
      yield missing(path, `it is ${state}, and no handoff is named by which its agent got it`)
    return
  }
  const [accepted] = await evidence.find(`accepted:${handoff}`)
  if (accepted) {
    yield* tampered(accepted)
    const says = predicateOf(accepted)
    if (says && !isAbout(says, { mission, task, agent }))
      yield {
        code: 'replay/handoff-differs',
        path,
        message: `entry ${accepted.index} is the acceptance of ${handoff}, and of another task, mission or agent`,
      }
    return
  }
  // One that was refused is in the log as well, and its agent was not run.
  const others = HANDED.includes(state) ? [] : await evidence.find(`id:${handoff}`)
  if (others.length === 0)
    yield missing(path, `the log has no entry that the handoff ${handoff} was accepted`)
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
  { proposal, decision, digest, entry, outcome }: MissionDecision,
  evidence: Evidence,
): AsyncIterable<Difference> {
  const path = formatPointer(['decisions', proposal])
  const found = entry === null ? undefined : (await evidence.find(`digest:${entry}`)).find(isNamed)
  if (!found) {
    const message = `that it was ${decision} is not in the log`
    yield { code: 'replay/decision-unrecorded', path, message }
    return
  }
  yield* tampered(found)
  const says = predicateOf(found)
  if (!says) return
  const ids = partAt(says, 'ids')
  const isSame =
    says.proposal === proposal &&
    says.decision === decision &&
    String(ids.mission).toLowerCase() === mission &&
    subjectsOf(found).includes(digest)
  if (!isSame)
    yield {
      code: 'replay/decision-differs',
      path,
      message: `entry ${found.index} records another decision`,
    }
  if (!outcome) return
  const key = `written-back:${String(ids.decision)}`
  const [written] = await evidence.find(key)
  if (!written) {
    const message = `that it was ${outcome.state} is not in the log`
    yield { code: 'replay/decision-unrecorded', path, message }
    return
  }
  yield* tampered(written)
  const told = predicateOf(written)
  if (told && told.outcome !== outcome.state)
    yield {
      code: 'replay/decision-differs',
      path,
      message: `entry ${written.index} records another outcome`,
    }

  /** The entry itself, not another that speaks of it. */
  function isNamed({ entry: read }: FoundEntry): boolean {
    return read.is === 'differs' || ('digest' in read && read.digest === entry)
  }
}

function* tampered({ index, entry }: FoundEntry): Iterable<Difference> {
  if (entry.is === 'differs' || entry.is === 'unreadable')
    yield {
      code: 'replay/entry-tampered',
      path: `/entries/${index}`,
      message: `entry ${index} of the log is not what was recorded`,
    }
}

/** What an entry says; nothing of one that was erased, or is not to be believed. */
function predicateOf({ entry }: FoundEntry): Payload | undefined {
  return entry.is === 'entry' ? entry.statement.predicate : undefined
}

function subjectsOf({ entry }: FoundEntry): readonly string[] {
  return entry.is === 'entry' ? entry.statement.subject.map(({ digest }) => digest.sha256) : []
}

function partAt(value: unknown, ...path: readonly string[]): Payload {
  let found = value
  for (const key of path)
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Payload)[key]
        : undefined
  return typeof found === 'object' && found !== null ? (found as Payload) : {}
}
