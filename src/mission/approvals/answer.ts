import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { type Gateway, requirePerson } from '../../governance/index.ts'
import { canonicalJson } from '../../ledger/index.ts'
import type { AnsweredBy, Run, Store, TaskRun } from '../../store/index.ts'
import { holdsNull } from '../null-characters.ts'
import { answerTask, type Which, waitingTask } from '../run/control.ts'
import { valueDigest } from './proposal.ts'
import { isLine } from './record.ts'

/** What a person answers for an agent. */
export interface PersonsAnswer extends Which {
  readonly task: string
  readonly answer: unknown
  readonly by: string
  /** The file of the person's key. */
  readonly keyFile?: string | undefined
}

/**
 * Gives a task the answer of a person, who is named in the log before the task goes on: what came of it is decided on by
 * others.
 *
 * @throws WaybillError `conflict` where the task does not wait for a person; `usage` where nothing shows who it is, or no database keeps it.
 */
export async function answerAs(store: Store, gateway: Gateway, given: PersonsAnswer): Promise<Run> {
  const { task, answer, by, keyFile } = given
  mustBeKept(answer)
  const found = await waitingTask(store, given, task)
  const { attempt } = found
  const at = gateway.time()
  const sha256 = valueDigest(answer)
  const stated = answerText({ ...given, attempt, sha256 }, gateway.origin, at)
  const bytes = new TextEncoder().encode(stated)
  const person = await requirePerson(gateway, { act: 'answer', by, bytes, keyFile }, at)
  const { standing } = person
  const proof = person.standing === 'proved' && { proof: person.proof }
  let recorded: Promise<AnsweredBy> | undefined
  const record = async (): Promise<AnsweredBy> => {
    const receipt = await gateway.record('task-answer', {
      subject: [{ name: 'task-answer', digest: { sha256 } }],
      ids: idsOf(given, found),
      agents: [found.agent],
      says: { by, standing, stated, ...proof },
    })
    if ('taken' in receipt) throw new WaybillError('internal', 'an answer has no unique key')
    return { by, standing, entry: receipt.digest }
  }
  // A transaction that a broken connection has undone is done again, and what is recorded stays so.
  return answerTask(store, given, { task, attempt, answer, record: () => (recorded ??= record()) })
}

/** The log is not told of an answer that cannot be stored. */
function mustBeKept(answer: unknown): void {
  if (!holdsNull(JSON.stringify(answer) ?? '')) return
  throw new WaybillError(
    'usage',
    'the answer holds the character \\u0000, which no database keeps',
    {
      hint: 'take it out where the text comes from',
    },
  )
}

/** Under the handoff by which the agent was given the task the answer is found as well. */
function idsOf({ mission, task }: PersonsAnswer, { handoff }: TaskRun) {
  return { mission, ...(isLine(task) && { task }), ...(handoff !== null && { handoff }) }
}

/** The words that a person signs: canonical JSON, so that anybody can write them again. */
function answerText(
  given: PersonsAnswer & { readonly attempt: number; readonly sha256: string },
  origin: string,
  at: number,
): string {
  const { tenant, mission, task, attempt, sha256, by } = given
  const text = canonicalJson({
    type: 'urn:waybill:statement:task-answer',
    ...{ origin, tenant, mission, task, attempt, sha256, by, at: formatInstant(at) },
  })
  if (typeof text === 'string' && sha256 !== '') return text
  throw new WaybillError('usage', 'this answer has no canonical form, and cannot be recorded')
}
