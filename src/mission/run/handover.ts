import { createHash } from 'node:crypto'
import { decode } from '../../document/index.ts'
import { type DecisionContext, readHandoff, receive, send } from '../../governance/index.ts'
import type { Output, Reason } from '../../store/index.ts'
import type { Task } from '../runner.ts'
import type { Attempt } from './durable.ts'

/** One attempt, as handed to its agent. */
export interface Handover {
  readonly attempt: Attempt
  readonly task: Task
  /** The canonical ids of sender and recipient. */
  readonly from: string
  readonly to: string
  /** The input artifacts of the agent. */
  readonly inputs: readonly Pick<Output, 'id' | 'digest'>[]
  /** The standing rules in force. */
  readonly rules?: readonly string[] | undefined
}

/** The accepted handoff, or why the agent must not run. */
export type HandedOver =
  | { readonly accepted: true; readonly handoff: string }
  | { readonly accepted: false; readonly handoff: string | null; readonly reason: Reason }

/**
 * Hands a task over by a handoff: sent and signed for the orchestrator, received for the agent, and recorded in the
 * log. Only an accepted handoff is run.
 */
export async function handOver(
  over: Handover,
  open: () => Promise<DecisionContext>,
): Promise<HandedOver> {
  const handed = await handOnce(over, open)
  return isTooOld(handed) ? handOnce(over, open) : handed
}

/** Diagnostics of a handoff that is too old. */
const AGES: ReadonlySet<string> = new Set(['agent-handoff/fresh-when-received', 'envelope/expired'])

/** Whether a handoff just sent is too old: the clock jumped ahead or the machine slept. */
function isTooOld(handed: HandedOver): boolean {
  const errors = handed.accepted ? [] : (handed.reason.diagnostics ?? [])
  return errors.length > 0 && errors.every(one => AGES.has((one as { code: string }).code))
}

async function handOnce(over: Handover, open: () => Promise<DecisionContext>): Promise<HandedOver> {
  const draft = await readText(JSON.stringify(draftOf(over)))
  const sent = await send({ ...draft, previous: undefined }, await open())
  const handoff = sent.claims.handoff ?? null
  if (!sent.made) return refused(handoff, sent)
  const document = await readText(JSON.stringify(sent.made.handoff))
  const envelope = { text: sent.made.envelope }
  const received = await receive(
    { ...document, envelope: envelope.text, as: over.to },
    await open(),
  )
  if (received.answer !== 'accepted' || handoff === null) return refused(handoff, received)
  return { accepted: true, handoff }
}

async function readText(text: string) {
  const bytes = Buffer.from(text)
  return {
    read: await readHandoff(decode(bytes), 'json'),
    bytes: createHash('sha256').update(bytes).digest('hex'),
  }
}

function draftOf(over: Handover) {
  return {
    source_agent: { agent_id: over.from },
    target_agent: { agent_id: over.to },
    context: { request: requestOf(over), state: {} },
  }
}

/** The request of a handoff: the task's objective and the standing rules. The rest comes with the assignment. */
export function requestOf({ attempt, task, inputs, rules = [] }: Omit<Handover, 'from' | 'to'>) {
  return {
    type: 'task',
    input_data: {
      mission_id: attempt.mission,
      task_id: attempt.task,
      attempt: attempt.attempt,
      ...(inputs.length > 0 && inputsOf(inputs)),
    },
    constraints: [...rules],
    ...askedOf(task),
  }
}

/** The objective of a task and its criteria. */
export function askedOf({
  objective,
  success_criteria,
}: Pick<Task, 'objective' | 'success_criteria'>) {
  return { description: objective, expected_output: success_criteria.join('; ') }
}

/** The most artifacts named in a handoff; beyond that only their number is given. */
const MOST_NAMED = 64

/** The input artifacts, and a digest over the id and digest of each, line by line. */
function inputsOf(inputs: Handover['inputs']) {
  const named = inputs.slice(0, MOST_NAMED)
  const lines = inputs.map(({ id, digest }) => `${digest} ${id}\n`).join('')
  return {
    artifact_ids: named.map(({ id }) => id),
    artifact_digests: named.map(({ digest }) => digest),
    artifacts: inputs.length,
    artifacts_sha256: createHash('sha256').update(lines).digest('hex'),
  }
}

/** The reason is the first error; all errors are attached. */
function refused(
  handoff: string | null,
  {
    diagnostics,
    requirements,
  }: Pick<Awaited<ReturnType<typeof receive>>, 'diagnostics' | 'requirements'>,
): HandedOver {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const [first] = errors
  const reason = first
    ? { code: first.code, message: first.message }
    : {
        code: 'mission/handoff-needs-input',
        message: `the policies require ${requirements.join(', ')} before the agent may run`,
      }
  const listed = errors.map(({ code, path, message, hint }) => ({ code, path, message, hint }))
  return { accepted: false, handoff, reason: { ...reason, diagnostics: listed } }
}
