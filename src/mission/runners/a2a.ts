import type { Message, Task } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { WaybillError } from '../../error.ts'
import { loadA2a } from '../packages.ts'
import type { Assignment, Outcome, RunContext, Runner, Stop } from '../runner.ts'
import { connect } from './a2a/connection.ts'
import { answerIn, messageOf, wordsOf } from './a2a/message.ts'
import { isName, MOST_MISSED, nextPause, readToken, type Token, usedBy } from './a2a/token.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { type Failure, failed } from './failure.ts'
import { quoted } from './quoted.ts'
import { secretIn } from './secret.ts'
import { showing } from './showing.ts'
import { type Limits, openWire, type Wire } from './wire.ts'

/** What `waybill.yaml` says of a runner that is an agent elsewhere. */
interface A2aConfig {
  readonly url?: string
  readonly token?: string
  readonly seconds?: number
  readonly bytes?: number
}

const LIMITS = { bytes: 1024 * 1024, silence: 60_000, tries: 4, pause: 1000 }

/** How long a task of ours that is given up may take to be told so, in milliseconds. */
const FAREWELL = 5000

/** Gives a task to an agent elsewhere, over A2A 1.0; what takes longer is looked at again and again. */
export function a2aRunner(config: A2aConfig, limits: Partial<Limits> = {}): Runner {
  return {
    run: async (assignment, runContext) => {
      const remote = remoteOf(config, runContext, { ...LIMITS, ...limits })
      if (remote.is === 'failed') return remote
      const { continued } = runContext
      const kept = readToken(continued?.token)
      // The time that the first answer took is not given again for the second.
      const before = usedBy(continued ?? runContext.before)
      const began = performance.now()
      const used = () => before + performance.now() - began
      const { signal } = runContext
      const deadline = startDeadline(config.seconds, assignment.budget, signal, before)
      const outcome = await work({ ...remote, assignment, kept, used, deadline })
      const over = deadline.ended()
      if (!over || outcome.is === 'returned') return outcome
      // Whoever takes the task up again looks at it as if nobody had stopped.
      if (kept && GIVEN_BACK.has(signal.reason)) return over
      const begun = kept ?? (outcome.is === 'waiting' ? readToken(outcome.token) : undefined)
      if (begun) await cancel(remote, begun.taskId)
      return over
    },
  }
}

const GIVEN_BACK: ReadonlySet<unknown> = new Set<Stop>(['lost', 'stopping'])

interface Remote {
  readonly is: 'remote'
  readonly url: URL
  readonly who: string
  readonly secret: string | undefined
  readonly proof: string
  readonly limits: Limits
}

interface Work extends Remote {
  readonly assignment: Assignment
  readonly kept: Token | undefined
  /** How much of its time the agent has had, in milliseconds, over all looks. */
  used(): number
  readonly deadline: Deadline
}

function remoteOf(
  { url, token, bytes }: A2aConfig,
  { environment }: RunContext,
  limits: Limits,
): Remote | Failure {
  const at = url !== undefined && URL.canParse(url) ? new URL(url) : undefined
  if (!at || !/^https?:$/.test(at.protocol)) {
    return failed('mission/runner-missing', 'the agent has no address that can be asked', false)
  }
  const who = `the agent at ${at.origin}`
  const found = secretIn(token, environment)
  if ('why' in found) return failed('mission/runner-missing', `${who} ${found.why}`, false)
  const { secret } = found
  const proof =
    token === undefined ? 'being asked without a token' : `the token in the variable ${token}`
  return {
    is: 'remote',
    url: at,
    who,
    secret,
    proof,
    limits: { ...limits, ...(bytes && { bytes }) },
  }
}

function wireTo({ url, who, proof, secret, limits }: Remote, deadline: Deadline): Wire {
  return openWire({
    origin: url.origin,
    who,
    proof,
    ...(secret !== undefined && { headers: { authorization: `Bearer ${secret}` } }),
    deadline,
    limits,
  })
}

async function work(job: Work): Promise<Outcome> {
  const over = job.deadline.ended()
  if (over) return over
  const wire = wireTo(job, job.deadline)
  const outcome = await exchange(job, wire)
  const { kept } = job
  if (outcome.is !== 'failed' || outcome.code !== 'mission/runner-unavailable' || !kept)
    return outcome
  // The agent works on, whether or not it can be looked at now.
  return kept.missed + 1 < MOST_MISSED ? wait(job, kept, kept.missed + 1) : outcome
}

async function exchange(job: Work, wire: Wire): Promise<Outcome> {
  try {
    const connected = await connect(job.url, job.who, wire)
    if (connected.is === 'failed') return connected
    const answer = await given(job, connected.client)
    return strange(job, answer) ?? (await settle(job, answer))
  } catch (error) {
    return wire.failure() ?? (await explained(error, job))
  }
}

function given({ kept, assignment }: Work, client: Client): Promise<Message | Task> {
  return kept
    ? client.getTask({ tenant: '', id: kept.taskId, historyLength: 0 })
    : client.sendMessage(messageOf(assignment))
}

/** That what came is no answer for the task that was asked for, where it is not. */
function strange({ who, kept }: Work, answer: Message | Task): Failure | undefined {
  if (!kept) return undefined
  const isOurs =
    'id' in answer && answer.id === kept.taskId && !isAnother(kept.contextId, answer.contextId)
  if (isOurs) return undefined
  return failed('mission/runner-answer', `${who} answers for another task than ours`, true)
}

/** A context may be left out. */
function isAnother(kept: string, given: string): boolean {
  return kept !== '' && given !== '' && kept !== given
}

/** States of a task, as A2A numbers them; the SDK has them as an enum, which would have to be loaded. */
const COMPLETED = 3
const FAILED = 4
const CANCELED = 5
const REJECTED = 7

function settle(job: Work, answer: Message | Task): Promise<Outcome> | Outcome {
  const { who, secret } = job
  if ('parts' in answer) return answerIn(answer, who, showing([secret]))
  const words = quoted(wordsOf(answer), [secret])
  const because = words ? `: ${words}` : ''
  switch (answer.status?.state) {
    case COMPLETED:
      return answerIn(answer, who, showing([secret]))
    case FAILED:
      return failed('mission/runner-failed', `${who} has failed${because}`, true)
    case CANCELED:
      return failed('mission/runner-failed', `${who} has cancelled the task${because}`, true)
    case REJECTED:
      return failed('mission/runner-refused', `${who} has rejected the task${because}`, false)
    default:
      return goOn(job, answer)
  }
}

function goOn(job: Work, { id, contextId }: Task): Outcome {
  const { who, kept } = job
  if (!id) return failed('mission/runner-answer', `${who} names no task`, true)
  if (!isName(id) || !isName(contextId)) {
    return failed('mission/runner-answer', `${who} gives the task a name that is none`, true)
  }
  return wait(job, { taskId: id, contextId, again: kept?.again })
}

interface Waited {
  readonly taskId: string
  readonly contextId: string
  readonly again: number | undefined
}

function wait({ used, deadline }: Work, waited: Waited, missed = 0): Outcome {
  const { taskId, contextId } = waited
  const pause = nextPause(waited.again)
  const again = Math.ceil(Math.min(pause, deadline.left()))
  const token: Token = { taskId, contextId, again: pause, missed, used: Math.ceil(used()) }
  return { is: 'waiting', for: 'agent', token, again }
}

/** What the SDK throws: a refusal in the words of the protocol, or that something does not follow it. */
async function explained(error: unknown, { who, secret }: Work): Promise<Failure> {
  if (error instanceof WaybillError) {
    return failed('mission/runner-missing', `${error.message}: ${error.hint}`, false)
  }
  const { errors } = await loadA2a()
  if (error instanceof errors.TaskNotFoundError) {
    return failed('mission/runner-failed', `${who} knows nothing of the task any more`, true)
  }
  if (error instanceof errors.A2AError) {
    const message = `${who} refuses the request: ${quoted(error.message, [secret])}`
    return failed('mission/runner-failed', message, false)
  }
  return failed('mission/runner-answer', `what ${who} sent does not follow A2A 1.0`, true)
}

/** Tells a remote agent that nobody waits for it any more; it may not hear it. */
async function cancel(remote: Remote, taskId: string): Promise<void> {
  const unlimited = { ms: null, tokens: null }
  const deadline = startDeadline(FAREWELL / 1000, unlimited, new AbortController().signal)
  const limits = { ...remote.limits, tries: 1 }
  try {
    const connected = await connect(remote.url, remote.who, wireTo({ ...remote, limits }, deadline))
    if (connected.is === 'failed') return
    await connected.client.cancelTask({ tenant: '', id: taskId, metadata: undefined })
  } catch {
    // It goes on for nothing; its answer is never asked for.
  }
}
