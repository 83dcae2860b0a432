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
import { defineRunner } from './kind.ts'
import { quoted } from './quoted.ts'
import { secretIn } from './secret.ts'
import { showing } from './showing.ts'
import { type Limits, openWire, type Wire } from './wire.ts'

/** The configuration of a remote agent. */
interface A2aConfig {
  readonly url?: string
  readonly token?: string
  readonly seconds?: number
  readonly bytes?: number
}

const LIMITS = { bytes: 1024 * 1024, silence: 60_000, tries: 4, pause: 1000 }

/** The time to cancel an abandoned remote task, in milliseconds. */
const FAREWELL = 5000

export default defineRunner({
  what: 'a remote agent that speaks A2A 1.0',
  needs: ['url'],
  allows: ['token', 'seconds'],
  create: config => a2aRunner(config),
})

/** Runs a remote agent over A2A 1.0; long tasks are checked periodically. */
export function a2aRunner(config: A2aConfig, limits: Partial<Limits> = {}): Runner {
  return {
    run: async (assignment, runContext) => {
      const remote = remoteOf(config, runContext, { ...LIMITS, ...limits })
      if (remote.is === 'failed') return remote
      const { continued } = runContext
      const kept = readToken(continued?.token)
      // A repair shares the time limit of the first answer.
      const before = usedBy(continued ?? runContext.before)
      const began = performance.now()
      const used = () => before + performance.now() - began
      const { signal } = runContext
      const deadline = startDeadline(config.seconds, assignment.budget, signal, before)
      const outcome = await work({ ...remote, assignment, kept, used, deadline })
      const over = deadline.ended()
      if (!over || outcome.is === 'returned') return outcome
      // A stopped worker's task continues elsewhere: do not cancel it.
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
  /** The time used so far, in milliseconds, over all checks. */
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
    return failed('mission/runner-missing', 'the agent has no http or https URL', false)
  }
  const who = `the agent at ${at.origin}`
  const found = secretIn(token, environment)
  if ('why' in found) return failed('mission/runner-missing', `${who} ${found.why}`, false)
  const { secret } = found
  const proof =
    token === undefined ? 'a request without a token' : `the token in the variable ${token}`
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
  // An unreachable agent may still be working.
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

/** The failure of a response about another task. */
function strange({ who, kept }: Work, answer: Message | Task): Failure | undefined {
  if (!kept) return undefined
  const isOurs =
    'id' in answer && answer.id === kept.taskId && !isAnother(kept.contextId, answer.contextId)
  if (isOurs) return undefined
  return failed('mission/runner-answer', `${who} answered for another task`, true)
}

/** Compares context ids, which may be absent. */
function isAnother(kept: string, given: string): boolean {
  return kept !== '' && given !== '' && kept !== given
}

/** A2A task states; the SDK's enum would load the SDK. */
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
      return failed('mission/runner-failed', `${who} failed${because}`, true)
    case CANCELED:
      return failed('mission/runner-failed', `${who} cancelled the task${because}`, true)
    case REJECTED:
      return failed('mission/runner-refused', `${who} rejected the task${because}`, false)
    default:
      return keepWaiting(job, answer)
  }
}

function keepWaiting(job: Work, { id, contextId }: Task): Outcome {
  const { who, kept } = job
  if (!id) return failed('mission/runner-answer', `${who} returned no task id`, true)
  if (!isName(id) || !isName(contextId)) {
    return failed('mission/runner-answer', `${who} returned an invalid task or context id`, true)
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

/** Converts an SDK error: a refusal by the protocol, or a protocol violation. */
async function explained(error: unknown, { who, secret }: Work): Promise<Failure> {
  if (error instanceof WaybillError) {
    return failed('mission/runner-missing', `${error.message}: ${error.hint}`, false)
  }
  const { errors } = await loadA2a()
  if (error instanceof errors.TaskNotFoundError) {
    return failed('mission/runner-failed', `${who} no longer knows the task`, true)
  }
  if (error instanceof errors.A2AError) {
    const message = `${who} refused the request: ${quoted(error.message, [secret])}`
    return failed('mission/runner-failed', message, false)
  }
  return failed('mission/runner-answer', `the response of ${who} does not follow A2A 1.0`, true)
}

/** Cancels a remote task, on a best-effort basis. */
async function cancel(remote: Remote, taskId: string): Promise<void> {
  const unlimited = { ms: null, tokens: null }
  const deadline = startDeadline(FAREWELL / 1000, unlimited, new AbortController().signal)
  const limits = { ...remote.limits, tries: 1 }
  try {
    const connected = await connect(remote.url, remote.who, wireTo({ ...remote, limits }, deadline))
    if (connected.is === 'failed') return
    await connected.client.cancelTask({ tenant: '', id: taskId, metadata: undefined })
  } catch {
    // Its answer is ignored anyway.
  }
}
