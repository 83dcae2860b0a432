import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { type Gateway, requirePerson } from '../../governance/index.ts'
import { canonicalJson } from '../../ledger/index.ts'
import type { AnsweredBy, Run, Store, TaskRun } from '../../store/index.ts'
import { holdsNull } from '../null-characters.ts'
import { answerTask, type Which, waitingTask } from '../run/control.ts'
import { valueDigest } from './proposal.ts'
import { isLine } from './record.ts'

/** A person's answer in place of an agent's. */
export interface PersonsAnswer extends Which {
  readonly task: string
  readonly answer: unknown
  readonly by: string
  /** The file of the person's key. */
  readonly keyFile?: string | undefined
}

/**
 * Completes a task with a person's answer. The log records who answered before the task continues.
 * @throws {WaybillError} 'conflict' when the task does not wait for a person; 'usage' when the person is not identified
 * or the answer cannot be stored.
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
  // A lost connection repeats the transaction; record the answer only once.
  return answerTask(store, given, { task, attempt, answer, record: () => (recorded ??= record()) })
}

/** Checks before anything is recorded that the answer can be stored. */
function mustBeKept(answer: unknown): void {
  if (!holdsNull(JSON.stringify(answer) ?? '')) return
  throw new WaybillError(
    'usage',
    'the answer contains the character \\u0000, which the database cannot store',
    {
      hint: 'remove it where the text is created',
    },
  )
}

/** The log also finds the answer by the handoff that gave the agent its task. */
function idsOf({ mission, task }: PersonsAnswer, { handoff }: TaskRun) {
  return { mission, ...(isLine(task) && { task }), ...(handoff !== null && { handoff }) }
}

/** The text that a person signs: canonical JSON, so that anyone can reproduce it. */
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
  throw new WaybillError('usage', 'the answer cannot be recorded: it has no canonical JSON form')
}
